/** The prompts of VisualWebBench in lmms-eval (LMMs-Lab, Apache-2.0 or MIT: see NOTICE), spelled as published. */
export const VISUAL_WEB_BENCH_PROMPTS = {
  web_caption:
    'You are given a screenshot of a webpage. Please generate the meta web description information ' +
    'of this webpage, i.e., content attribute in <meta name="description" content=""> HTML element.\n' +
    '\n' +
    'You should use the following format, and do not output any explanation or any other contents:\n' +
    '<meta name="description" content="YOUR ANSWER">\n',
  heading_ocr:
    'You are given a screenshot of a webpage. Please generate the main text within the screenshot, ' +
    'which can be regarded as the heading of the webpage.\n' +
    '\n' +
    'You should directly tell me the main content, and do not output any explanation or any other ' +
    'contents.\n',
  webqa:
    '{question}\n' +
    'You should directly tell me your answer in the fewest words possible, and do not output any ' +
    'explanation or any other contents.\n',
  element_ocr:
    'You are given a screenshot of a webpage with a red rectangle bounding box. The [x1, y1, x2, ' +
    'y2] coordinates of the bounding box is {bbox_ratio}.\n' +
    'Please perform OCR in the bounding box and recognize the text content within the red bounding ' +
    'box.\n' +
    '\n' +
    'You should use the following format:\n' +
    'The text content within the red bounding box is: <YOUR ANSWER>\n',
  element_ground:
    'In this website screenshot, I have labeled IDs for some HTML elements as candicates. Tell me ' +
    'which one best matches the description: {element_desc}\n' +
    '\n' +
    'You should directly tell me your choice in a single uppercase letter, and do not output any ' +
    'explanation or any other contents.\n',
  action_prediction:
    'You are given a screenshot of a webpage with a red rectangle bounding box. The [x1, y1, x2, ' +
    'y2] coordinates of the bounding box is {bbox_ratio}.\n' +
    'Please select the best webpage description that matches the new webpage after clicking the ' +
    'selected element in the bounding box:\n' +
    '{choices_text}\n' +
    '\n' +
    'You should directly tell me your choice in a single uppercase letter, and do not output any ' +
    'explanation or any other contents.\n',
  action_ground:
    'In this website screenshot, I have labeled IDs for some HTML elements as candicates. Tell me ' +
    'which one I should click to complete the following task: {instruction}\n' +
    '\n' +
    'You should directly tell me your choice in a single uppercase letter, and do not output any ' +
    'explanation or any other contents.\n',
} as const;
