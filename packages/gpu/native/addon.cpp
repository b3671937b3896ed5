// Entry point: one `Environment` per JavaScript environment, and every function of the addon on the exports object.
#include "memory.h"
#include "operations.h"

namespace {

napi_value define(napi_env env, napi_value exports) {
  vlgym::countMemory();
  vlgym::keepFreedMemory();
  auto* environment = new vlgym::Environment(env);
  // A cleanup hook rather than instance data: it runs while the environment can still settle its handles.
  napi_add_env_cleanup_hook(env, [](void* data) { delete static_cast<vlgym::Environment*>(data); }, environment);
  const vlgym::Exports target{*environment, exports};
  vlgym::defineRuntime(target);
  vlgym::defineCreation(target);
  vlgym::defineData(target);
  vlgym::definePointwise(target);
  vlgym::defineInPlace(target);
  vlgym::defineReductions(target);
  vlgym::defineShapes(target);
  vlgym::defineIndexing(target);
  vlgym::defineNeural(target);
  vlgym::defineDecoding(target);
  vlgym::defineRecorded(target);
  vlgym::defineRandom(target);
  vlgym::defineAutograd(target);
  vlgym::defineOptimizers(target);
  vlgym::defineFiles(target);
  vlgym::defineDistributed(target);
  vlgym::defineGradientBuckets(target);
  return exports;
}

napi_value initialize(napi_env env, napi_value exports) {
  try {
    return define(env, exports);
  } catch (const vlgym::PendingException&) {
  } catch (const std::exception& error) {
    napi_throw_error(env, "NATIVE_LOAD_FAILED", error.what());
  }
  return nullptr;
}

}  // namespace

NAPI_MODULE(vlgym, initialize)
