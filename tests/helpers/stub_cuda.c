/* A substitute for the driver of NVIDIA GPUs: memory of the process, lanes one after the other.
   The "machine code" is the path of a library with the function of a lane for each kernel. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_IMAGE = 200,
       UNSUPPORTED_PTX_VERSION = 222 };
typedef void (*lane_function)(uint64_t *, uint32_t);
typedef struct { const char *name; int params; lane_function run; } kernel;
static kernel kernels[] = {
  {"play_lanes", 9}, {"count_lanes", 9}, {"lanes_step_games", 11}, {"lanes_show_games", 9},
  {"lanes_sample_games", 10}, {"lanes_take_actions", 6}, {"lanes_observe_games", 11},
  {"lanes_copy_rows", 9}};

static size_t stack = 1024, limit = (size_t)1 << 28;

static void note(const char *name) {
  const char *path = getenv("STUB_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : 0;
  if (file) { fprintf(file, "%s\n", name); fclose(file); }
}

result cuInit(unsigned flags) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES"); /* if empty, the driver shows no GPU */
  return visible && !*visible ? NO_DEVICE : OK;
}
result cuDriverGetVersion(int *version) { *version = 13000; return OK; }
result cuDeviceGetCount(int *count) { *count = 1; return OK; }
result cuDeviceGet(int *device, int number) { *device = number; return number ? 101 : OK; }
result cuDeviceGetName(char *name, int size, int device) { snprintf(name, size, "stub"); return OK; }
result cuDeviceTotalMem_v2(size_t *size, int device) { *size = limit; return OK; }
result cuDeviceGetAttribute(int *value, int kind, int device) {
  *value = kind == 75 ? 9 : kind == 76 ? 0 : kind == 16 ? 2 : -1;
  return *value < 0 ? INVALID_VALUE : OK;
}
result cuDevicePrimaryCtxRetain(void **context, int device) { *context = &stack; return OK; }
result cuDevicePrimaryCtxRelease_v2(int device) { return OK; }
static int contexts = 0;
result cuCtxPushCurrent_v2(void *context) { contexts++; return OK; }
result cuCtxPopCurrent_v2(void **context) { *context = &stack; return contexts-- > 0 ? OK : 201; }
result cuPointerGetAttribute(void *value, int kind, uint64_t address) {
  *(int *)value = 0;
  return kind == 9 ? OK : INVALID_VALUE;
}
result cuCtxGetLimit(size_t *size, int kind) { *size = stack; return kind ? INVALID_VALUE : OK; }
result cuCtxSetLimit(int kind, size_t size) { note("stack"); stack = size; return OK; }

static char *code;
result cuLinkCreate_v2(unsigned n, int *o, void **v, void **state) {
  if (n) note(n == 1 && *o == 7 && *(uint64_t *)v == 1 ? "level1" : "unknown");
  *state = &code;
  return OK;
}
result cuLinkAddData_v2(void *state, int kind, void *data, size_t size, const char *name, unsigned n,
                        int *o, void **v) {
  note("assemble");
  if (getenv("STUB_CUDA_REFUSAL")) return atoi(getenv("STUB_CUDA_REFUSAL"));
  return kind == 1 && ((char *)data)[size - 1] == 0 ? OK : INVALID_VALUE;
}
result cuLinkComplete(void *state, void **data, size_t *size) {
  code = getenv("STUB_CUDA_LANE");
  *data = code; *size = strlen(code) + 1;
  return OK;
}
result cuLinkDestroy(void *state) { return OK; }
result cuModuleLoadData(void **module, const void *image) {
  *module = dlopen(image, RTLD_NOW);
  return *module ? OK : INVALID_IMAGE;
}
result cuModuleUnload(void *module) { note("unload"); return dlclose(module); }
result cuModuleGetFunction(void **function, void *module, const char *name) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "run_%s", name);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (!strcmp(kernels[i].name, name)) {
      kernels[i].run = (lane_function)dlsym(module, symbol);
      *function = &kernels[i];
      return kernels[i].run ? OK : 500;
    }
  return 500;
}
result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t size) {
  *blocks = 1;
  return OK;
}
result cuMemGetInfo_v2(size_t *free, size_t *total) { *free = *total = limit; return OK; }
result cuMemAlloc_v2(uint64_t *address, size_t size) {
  if (size > limit) return OUT_OF_MEMORY;
  void *memory = malloc(size);
  memset(memory, 0xA5, size);
  *address = (uint64_t)memory;
  return OK;
}
result cuMemFree_v2(uint64_t address) { free((void *)address); return OK; }
result cuMemHostAlloc(void **address, size_t size, unsigned flags) {
  *address = malloc(size);
  return flags == 2 ? OK : INVALID_VALUE;
}
result cuMemFreeHost(void *address) { free(address); return OK; }
result cuMemHostGetDevicePointer_v2(uint64_t *place, void *address, unsigned flags) {
  *place = (uint64_t)address;
  return OK;
}
result cuMemsetD8Async(uint64_t address, unsigned char value, size_t size, void *stream) {
  memset((void *)address, value, size);
  return OK;
}
result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream) {
  memcpy((void *)to, from, size);
  return OK;
}
result cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) {
  memcpy(to, (void *)from, size);
  return OK;
}
result cuStreamCreate(void **stream, unsigned flags) { *stream = &stack; return OK; }
result cuStreamDestroy_v2(void *stream) { return OK; }
result cuCtxSynchronize(void) { return OK; }
result cuStreamSynchronize(void *stream) { return OK; }
result cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty,
                      unsigned tz, unsigned shared, void *stream, void **params, void **extra) {
  uint64_t words[32] = {0};
  note("launch");
  const kernel *found = function;
  for (int i = 0; i < found->params; i++) words[i] = *(uint64_t *)params[i];
  for (unsigned lane = 0; lane < x * tx; lane++) found->run(words, lane);
  return OK;
}
result cuGetErrorName(result error, const char **name) {
  *name = error == NO_DEVICE                  ? "CUDA_ERROR_NO_DEVICE"
          : error == UNSUPPORTED_PTX_VERSION ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
                                             : "CUDA_ERROR_OTHER";
  return OK;
}

/* cuda-bindings finds all other functions through this one, by their names without a version. */
result cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                           int *status) {
  char name[128];
  *function = 0;
  for (const char *end = "_v2"; !*function; end = "") {
    snprintf(name, sizeof name, "%s%s", symbol, end);
    *function = dlsym(RTLD_DEFAULT, name);
    if (!*function) {
      void *own = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
      if (own) *function = dlsym(own, name);
    }
    if (!*end) break;
  }
  if (status) *status = *function ? 0 : 1;
  return OK;
}
