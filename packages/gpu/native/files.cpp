// Files of tensors: bytes at offsets for reading, an atomic writer. The format (safetensors) is spoken in TypeScript.
//
// Tensors are read with pread into memory of their own. A mapping would cost no memory before it is touched, but a file
// that somebody shortens while it is mapped ends the process with SIGBUS at the first use of a tensor, long after it was
// opened; here it is an error of the read. A tensor is in memory once: the kernel copies straight into it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "operations.h"
#include "worker.h"

namespace vlgym {

namespace {

[[noreturn]] void systemError(const std::string& call) {
  const int number = errno;
  throw SystemError(call + ": " + std::strerror(number), number);
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : value(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (value < 0) systemError("open");
  }
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void close() {
    const int descriptor = std::exchange(value, -1);
    if (::close(descriptor) != 0) systemError("close");
  }
  int value;
};

/// A duplicate of a descriptor of Node, closed when JavaScript has let go of it. Header and tensors then come from the
/// same file, whatever is renamed over its path meanwhile.
struct File {
  explicit File(int64_t descriptor) {
    if (descriptor < 0 || descriptor > std::numeric_limits<int>::max()) throw ArgumentError("not a file descriptor");
    value = ::fcntl(static_cast<int>(descriptor), F_DUPFD_CLOEXEC, 0);
    if (value < 0) systemError("dup");
    struct stat status{};
    if (::fstat(value, &status) == 0 && S_ISREG(status.st_mode)) return;
    ::close(value);
    throw ArgumentError("not a regular file");
  }
  ~File() { ::close(value); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int value;
};

void readAll(const File& file, int64_t offset, void* data, size_t bytes) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    // Linux reads at most 2 GiB at once.
    const ssize_t count = ::pread(file.value, to, std::min<size_t>(bytes, size_t{1} << 30), offset);
    if (count < 0) {
      if (errno == EINTR) continue;
      systemError("read");
    }
    if (count == 0) throw SystemError("the file ends inside the tensor", 0);
    to += count;
    offset += count;
    bytes -= static_cast<size_t>(count);
  }
}

void writeAll(int descriptor, const void* data, size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    // Linux writes at most 2 GiB at once.
    const ssize_t written = ::write(descriptor, from, std::min<size_t>(bytes, size_t{1} << 30));
    if (written < 0) {
      if (errno == EINTR) continue;
      systemError("write");
    }
    from += written;
    bytes -= static_cast<size_t>(written);
  }
}

/// Length of the header, header and tensors to `temporary`, fsync, rename onto `path`, fsync of the folder. On failure
/// `temporary` is gone and `path` is what it was.
void writeFile(const std::string& path, const std::string& temporary, const std::string& header,
               const vector<Tensor>& tensors) {
  for (const std::string& each : {path, temporary}) {
    if (each.find('\0') != std::string::npos) throw ArgumentError("a path must not hold a NUL character");
  }
  // Outside: a file that was there before is not ours to remove.
  Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
  try {
    // The format is little-endian, as is every machine that libtorch runs on.
    const uint64_t length = header.size();
    writeAll(file.value, &length, sizeof length);
    writeAll(file.value, header.data(), header.size());
    for (const Tensor& tensor : tensors) {
      const Tensor source = tensor.detach().cpu().contiguous();
      writeAll(file.value, source.data_ptr(), source.nbytes());
    }
    if (::fsync(file.value) != 0) systemError("fsync");
    file.close();
    if (::rename(temporary.c_str(), path.c_str()) != 0) systemError("rename");
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  const size_t slash = path.rfind('/');
  const Descriptor folder(slash == std::string::npos ? "." : path.substr(0, slash + 1), O_RDONLY | O_DIRECTORY);
  if (::fsync(folder.value) != 0 && errno != EINVAL) systemError("fsync of the folder");
}

}  // namespace

void defineFiles(const Exports& exports) {
  exports.define("openFile", [](const Call& call, int64_t descriptor) {
    return external(call, std::make_shared<File>(descriptor), typeid(File));
  });
  exports.define("readTensor",
                 [](const Call& call, napi_value handle, int64_t offset, const Shape& shape, at::ScalarType dtype) {
                   const auto file = std::static_pointer_cast<File>(fromExternal(call, 0, handle, typeid(File)));
                   if (offset < 0) badArgument(1, "a position in the file");
                   const Tensor tensor = at::empty(shape, at::dtype(dtype));
                   int64_t end;
                   if (__builtin_add_overflow(offset, static_cast<int64_t>(tensor.nbytes()), &end)) {
                     badArgument(1, "a position in the file");
                   }
                   readAll(*file, offset, tensor.data_ptr(), tensor.nbytes());
                   if (dtype == at::kBool) zeroOrOne(tensor);
                   return tensor;
                 });

  exports.define("writeFile", [](const std::string& path, const std::string& temporary, const std::string& header,
                                 const vector<Tensor>& tensors) { writeFile(path, temporary, header, tensors); });
  exports.define("writeFileAsync", [](const Call& call, const std::string& path, const std::string& temporary,
                                      const std::string& header, const vector<Tensor>& tensors) {
    return call.environment.worker().submit("writeFileAsync", [=] { writeFile(path, temporary, header, tensors); });
  });
}

}  // namespace vlgym
