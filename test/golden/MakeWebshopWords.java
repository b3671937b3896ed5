/*
 * Makes webshop-words.json.gz: words and index terms of real Lucene 8.11, which the original WebShop searches with.
 *
 *   mvn dependency:copy -Dartifact=org.apache.lucene:lucene-core:8.11.0 -DoutputDirectory=lucene
 *   mvn dependency:copy -Dartifact=org.apache.lucene:lucene-analyzers-common:8.11.0 -DoutputDirectory=lucene
 *   java -cp 'lucene/*' test/golden/MakeWebshopWords.java | gzip -9n > test/golden/webshop-words.json.gz
 *
 * `texts`: random texts of the characters that were or could be split differently, the words of StandardTokenizer and
 * the terms of EnglishAnalyzer. `blocks`: per 4,096 code points (planes 0 to 2 and the tags; the rest is unassigned) the first 16 digits of
 * the SHA-256 over the words of each code point in six contexts, a line each.
 */
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

public class MakeWebshopWords {
  static final String[] PIECES = {
    "a", "Z", "9", "0", "_", "'", "\"", ".", ":", ",", ";", "-", " ", "#", "*", "s", "S", "ing", "ed", "shoes", "4.5",
    "\u00e9", "\u05d0", "\u05d1", "\u0e01", "\u0e31", "\u6771", "\u3005", "\u3042", "\u30ab", "\uac00", "\u200b",
    "\u200d", "\u0301", "\ufe0f", "\ufe0e", "\u20e3", "\u2605", "\u261e", "\u2610", "\u2713", "\u25cf", "\u3010",
    "\ud83c\udd30", "\ud83c\udd69", "\ud83c\udd70", "\ud83c\udde6", "\ud83c\uddfa", "\ud83c\udffb", "\ud83d\udc69",
    "\u261d", "\u2764", "\ud83d\ude00", "\ud83e\udffd", "\udb40\udc67", "\udb40\udc7f", "\u2139", "\u24c2", "\u00a9",
    "\u2122", "\u0660", "\uff11", "\u2019", "\uff07", "\u202f", "\u00b7", "\u066b", "\u0130", "\u03a3", "\u1e9e",
    "\u13a0", "\ud801\udc00", "\ua7cb", "\u1c90", "\ud83d", "\udc00",
  };

  public static void main(String[] arguments) throws Exception {
    Random random = new Random(12);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    out.print("{\"lucene\":\"8.11.0\",\"texts\":[");
    for (int number = 0; number < 1500; number += 1) {
      String text = number % 50 == 0 ? longText(random) : text(random);
      out.print((number == 0 ? "" : ",\n") + "[" + json(text) + "," + json(words(text, RAW)) + "," + json(words(text, ENGLISH)) + "]");
    }
    out.print("],\n\"blocks\":{");
    for (int block = 0; block <= 0xe0; block = block == 0x2f ? 0xe0 : block + 1) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int code = block << 12; code < (block + 1) << 12; code += 1) {
        digest.update((hex(words(contexts(code), RAW)) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      byte[] hash = digest.digest();
      StringBuilder start = new StringBuilder();
      for (int index = 0; index < 8; index += 1) start.append(String.format("%02x", hash[index]));
      out.print((block == 0 ? "" : ",") + "\"" + block + "\":\"" + start + "\"");
    }
    out.print("}}\n");
    out.flush();
  }

  static final Analyzer ENGLISH = new EnglishAnalyzer();
  static final Analyzer RAW =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          return new TokenStreamComponents(new StandardTokenizer());
        }
      };

  static List<String> words(String text, Analyzer analyzer) throws Exception {
    List<String> words = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream("contents", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) words.add(term.toString());
      stream.end();
    }
    return words;
  }

  /** Ends with a full stop: Lucene drops what it read last where a text ends with the first half of a pair. */
  static String contexts(int code) {
    String x = new String(Character.toChars(code));
    return "a" + x + "b " + x + "9" + x + "1 '" + x + "s " + x + "\ufe0f\u200d" + x + " \u6771" + x + "\u30ab" + x + " _" + x + "_ A" + x + ".";
  }

  static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = 1 + random.nextInt(14); left > 0; left -= 1) text.append(piece(random));
    return text.append(' ').toString();
  }

  /** Words beyond the 255 units that Lucene reads at once. */
  static String longText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int part = 0; part < 2; part += 1) {
      String both = piece(random) + piece(random);
      for (int left = 1 + random.nextInt(300); left > 0; left -= 1) text.append(both);
    }
    return text.append(" a").toString();
  }

  static String piece(Random random) {
    if (random.nextInt(8) > 0) return PIECES[random.nextInt(PIECES.length)];
    return new String(Character.toChars(random.nextInt(random.nextInt(3) > 0 ? 0x3200 : 0x20000)));
  }

  static String hex(List<String> words) {
    StringBuilder text = new StringBuilder();
    for (String word : words) {
      for (int index = 0; index < word.length(); index += 1) text.append(String.format("%04x", (int) word.charAt(index)));
      text.append(' ');
    }
    return text.toString();
  }

  static String json(List<String> words) {
    StringBuilder text = new StringBuilder("[");
    for (String word : words) text.append(text.length() > 1 ? "," : "").append(json(word));
    return text.append("]").toString();
  }

  static String json(String text) {
    StringBuilder written = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      if (unit >= 32 && unit < 127 && unit != '"' && unit != '\\') written.append(unit);
      else written.append(String.format("\\u%04x", (int) unit));
    }
    return written.append("\"").toString();
  }
}
