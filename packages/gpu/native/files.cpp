// Files of tensors: a read-only mapping for reading, an atomic writer. The format (safetensors) is spoken in
// TypeScript; here are only bytes at offsets.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

/// A private mapping: in-place operations on a mapped tensor change memory, never the file.
struct Mapping {
  explicit Mapping(const std::string& path) {
    const Descriptor file(path, O_RDONLY);
    struct stat status{};
    if (::fstat(file.value, &status) != 0) systemError("fstat");
    bytes = static_cast<size_t>(status.st_size);
    if (bytes == 0) return;
    data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.value, 0);
    if (data == MAP_FAILED) {
      data = nullptr;
      systemError("mmap");
    }
  }
  ~Mapping() {
    if (data) ::munmap(data, bytes);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  void* data = nullptr;
  size_t bytes = 0;
};

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
  try {
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
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
  exports.define("mapFile", [](const Call& call, const std::string& path) {
    return external(call.env, std::make_shared<Mapping>(path));
  });
  exports.define("mappedBytes", [](const Call& call, napi_value mapping) {
    return static_cast<int64_t>(std::static_pointer_cast<Mapping>(fromExternal(call, 0, mapping))->bytes);
  });
  exports.define(
      "mappedTensor", [](const Call& call, napi_value handle, int64_t offset, const Ints& shape, at::ScalarType dtype) {
        auto mapping = std::static_pointer_cast<Mapping>(fromExternal(call, 0, handle));
        const auto width = static_cast<int64_t>(c10::elementSize(dtype));
        int64_t bytes = width;
        for (const int64_t size : shape) {
          if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) throw ArgumentError("the shape is out of range");
        }
        int64_t end;
        if (offset < 0 || __builtin_add_overflow(offset, bytes, &end) || static_cast<uint64_t>(end) > mapping->bytes) {
          throw ArgumentError("the tensor reaches beyond the end of the file");
        }
        if (bytes == 0) return at::empty(shape, at::dtype(dtype));
        auto* data = static_cast<char*>(mapping->data) + offset;
        if (dtype == at::kBool) {
          // A byte other than 0 and 1 is undefined behaviour as a C++ bool: read bytes, then compare.
          return at::from_blob(data, shape, at::dtype(at::kByte)).ne(0);
        }
        if (offset % width != 0) {
          Tensor copy = at::empty(shape, at::dtype(dtype));
          std::memcpy(copy.data_ptr(), data, static_cast<size_t>(bytes));
          return copy;
        }
        return at::from_blob(data, shape, [mapping](void*) {}, at::dtype(dtype));
      });

  exports.define("writeFile", [](const std::string& path, const std::string& temporary, const std::string& header,
                                 const vector<Tensor>& tensors) { writeFile(path, temporary, header, tensors); });
  exports.define("writeFileAsync", [](const Call& call, const std::string& path, const std::string& temporary,
                                      const std::string& header, const vector<Tensor>& tensors) {
    return call.environment.worker().submit("writeFileAsync", [=] { writeFile(path, temporary, header, tensors); });
  });
}

}  // namespace vlgym
