// What a GPU gives for the forms of texture instructions in texture_forms.ptx: levels of mipmapped arrays, gradients,
// offsets, gathers of all shapes and the rest. scripts/truth-textures compiles and runs this with the path of that file;
// crates/simt/tests/texture_forms.rs holds the embedded device to what it printed on an H200, and makes the same texels
// and samples.
//
// A line of JSON for each case: a hash of the words of all results, or, where the embedded device does not find all bits
// (gradients and cubes), the first words.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
using std::string;
using std::vector;

static void check(CUresult result, const char* call)
{
    if (result == CUDA_SUCCESS) return;
    const char* name;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", call, name);
    exit(1);
}
#define CHECK(call) check(call, #call)

// SplitMix64, of which each number is the upper half.
struct Random
{
    uint64_t state;
    uint32_t next()
    {
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return (z ^ (z >> 31)) >> 32;
    }
    float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
};

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

struct Case
{
    const char* kernel;
    const char* dimension; // 1d, 2d, 3d, a1d, a2d, cube or acube
    const char* format;
    unsigned size[3]; // the third is layers of a1d, a2d and acube
    unsigned levels;  // 0: a plain array
    int address, linear, between, fraction;
    float bias, least, most;
};

static const int SAMPLES = 512;

static bool is(const char* a, const char* b) { return !strcmp(a, b); }

struct Format
{
    CUarray_format channel;
    unsigned channels, bytes;
    bool floats;
};

static Format format_of(const string& name)
{
    string channel = name.substr(0, name.find('x'));
    unsigned channels = name.back() - '0';
    if (channel == "u8") return {CU_AD_FORMAT_UNSIGNED_INT8, channels, 1, false};
    if (channel == "s8") return {CU_AD_FORMAT_SIGNED_INT8, channels, 1, false};
    if (channel == "u16") return {CU_AD_FORMAT_UNSIGNED_INT16, channels, 2, false};
    if (channel == "s16") return {CU_AD_FORMAT_SIGNED_INT16, channels, 2, false};
    if (channel == "f16") return {CU_AD_FORMAT_HALF, channels, 2, true};
    return {CU_AD_FORMAT_FLOAT, channels, 4, true};
}

// Floats from 1 to 2, of 16 bits from 2^-7 to 2; bytes of all values.
static vector<uint8_t> texels(const Format& format, size_t count, Random& random)
{
    vector<uint8_t> all(count * format.channels * format.bytes);
    for (size_t i = 0; i < all.size(); i += format.bytes) {
        uint32_t word = random.next();
        if (format.floats && format.bytes == 4) word = 0x3f800000u | (word & 0x7fffff);
        if (format.floats && format.bytes == 2) word = (word & 0x83ff) | (8 + word / 65536 % 8) << 10;
        memcpy(&all[i], &word, format.bytes);
    }
    return all;
}

static vector<uint32_t> samples(const Case& of, Random random)
{
    bool cube = strstr(of.dimension, "cube"), integers = strstr(of.kernel, "s32") || strstr(of.kernel, "ms");
    vector<uint32_t> words;
    for (int i = 0; i < SAMPLES; i++) {
        for (int n = 0; n < 3; n++) {
            float unit = random.unit(), side = of.fraction ? 1.0f : (float)of.size[n];
            if (integers) words.push_back((uint32_t)(int)(unit * 1.5f * of.size[n]) - of.size[n] / 4);
            else words.push_back(bits(cube ? unit * 2.0f - 1.0f : (unit * 1.5f - 0.25f) * side));
        }
        words.push_back(random.next() % (of.size[2] + 1));
        float level = random.unit() * (of.levels + 2) - 1.0f;
        bool whole = integers || is(of.kernel, "sizes");
        words.push_back(is(of.kernel, "sample_a2dms") ? i % 3 : whole ? (uint32_t)(int)floorf(level) : bits(level));
        for (int n = 0; n < 6; n++) {
            // Powers of two with a fraction; every other sample changes along one coordinate alone.
            int exponent = (int)(random.next() % 9) - (cube ? 12 : 9);
            float change = ldexpf(1.0f + random.unit(), exponent);
            bool zero = i % 2 && n != i / 2 % 6;
            words.push_back(bits(zero ? 0.0f : random.next() % 2 ? -change : change));
        }
        for (int n = 0; n < 3; n++) words.push_back(i % 2 ? random.next() % 16 - 8 : random.next());
        words.push_back(0), words.push_back(0);
    }
    return words;
}

// A mipmapped or plain array with texels, and its texture.
struct Made
{
    CUmipmappedArray mipmapped = nullptr;
    CUarray plain = nullptr;
    CUtexObject texture = 0;
};

static Made make(const Case& of, Random random)
{
    Format format = format_of(of.format);
    bool flat = strstr(of.dimension, "1d"), cube = strstr(of.dimension, "cube"), layered = of.dimension[0] == 'a';
    bool deep = is(of.dimension, "3d");
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    description.Width = of.size[0];
    description.Height = flat ? 0 : of.size[1];
    description.Depth = cube ? 6 * (layered ? of.size[2] : 1) : layered || deep ? of.size[2] : 0;
    description.Format = format.channel;
    description.NumChannels = format.channels;
    description.Flags = (layered ? CUDA_ARRAY3D_LAYERED : 0) | (cube ? CUDA_ARRAY3D_CUBEMAP : 0);
    Made made;
    if (of.levels) CHECK(cuMipmappedArrayCreate(&made.mipmapped, &description, of.levels));
    else CHECK(cuArray3DCreate(&made.plain, &description));
    for (unsigned level = 0; level < (of.levels ? of.levels : 1); level++) {
        CUarray array = made.plain;
        if (of.levels) CHECK(cuMipmappedArrayGetLevel(&array, made.mipmapped, level));
        auto half = [&](size_t n) { return n >> level ? n >> level : 1; };
        size_t width = half(of.size[0]), height = flat ? 1 : half(of.size[1]);
        size_t depth = deep ? half(of.size[2]) : description.Depth ? description.Depth : 1;
        auto all = texels(format, width * height * depth, random);
        CUDA_MEMCPY3D copy = {};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = all.data();
        copy.srcPitch = copy.WidthInBytes = width * format.channels * format.bytes;
        copy.srcHeight = copy.Height = height;
        copy.Depth = depth;
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = array;
        CHECK(cuMemcpy3D(&copy));
    }
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = of.levels ? CU_RESOURCE_TYPE_MIPMAPPED_ARRAY : CU_RESOURCE_TYPE_ARRAY;
    if (of.levels) resource.res.mipmap.hMipmappedArray = made.mipmapped;
    else resource.res.array.hArray = made.plain;
    CUDA_TEXTURE_DESC sampling = {};
    for (auto& mode : sampling.addressMode) mode = (CUaddress_mode)of.address;
    sampling.filterMode = (CUfilter_mode)of.linear;
    sampling.mipmapFilterMode = (CUfilter_mode)of.between;
    sampling.flags = of.fraction ? CU_TRSF_NORMALIZED_COORDINATES : 0;
    sampling.mipmapLevelBias = of.bias;
    sampling.minMipmapLevelClamp = of.least;
    sampling.maxMipmapLevelClamp = of.most;
    CHECK(cuTexObjectCreate(&made.texture, &resource, &sampling, nullptr));
    return made;
}

static void run(CUmodule module, const Case& of, int id)
{
    uint64_t seed = 1000003ull * id + 17;
    Made made = make(of, {seed});
    auto in = samples(of, {seed ^ 0xabcdef});
    vector<uint32_t> out(4 * SAMPLES);
    CUdeviceptr from, to;
    CHECK(cuMemAlloc(&from, in.size() * 4));
    CHECK(cuMemAlloc(&to, out.size() * 4));
    CHECK(cuMemcpyHtoD(from, in.data(), in.size() * 4));
    CUfunction kernel;
    CHECK(cuModuleGetFunction(&kernel, module, of.kernel));
    uint32_t count = SAMPLES;
    void* arguments[] = {&made.texture, &from, &to, &count};
    CHECK(cuLaunchKernel(kernel, SAMPLES / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(out.data(), to, out.size() * 4));
    printf("{\"id\":%d,\"kernel\":\"%s\",\"dimension\":\"%s\",\"format\":\"%s\",\"size\":[%u,%u,%u],\"levels\":%u,"
           "\"address\":%d,\"linear\":%d,\"between\":%d,\"fraction\":%d,\"bias\":%g,\"clamp\":[%g,%g],",
           id, of.kernel, of.dimension, of.format, of.size[0], of.size[1], of.size[2], of.levels, of.address, of.linear,
           of.between, of.fraction, of.bias, of.least, of.most);
    if (!strncmp(of.kernel, "grad", 4) || strstr(of.dimension, "cube")) {
        printf("\"raw\":\"");
        for (int i = 0; i < SAMPLES; i++) printf("%08x", out[4 * i]);
    } else {
        uint64_t hash = 0xcbf29ce484222325ull;
        for (uint32_t word : out) hash = (hash ^ word) * 0x100000001b3ull;
        printf("\"hash\":\"%016llx", (unsigned long long)hash);
    }
    printf("\"}\n");
    CHECK(cuTexObjectDestroy(made.texture));
    CHECK(of.levels ? cuMipmappedArrayDestroy(made.mipmapped) : cuArrayDestroy(made.plain));
    CHECK(cuMemFree(from));
    CHECK(cuMemFree(to));
}

static vector<Case> cases()
{
    vector<Case> all;
    struct Shape
    {
        const char* dimension;
        unsigned size[3], levels;
    };
    const Shape shapes[] = {{"1d", {100, 1, 1}, 7},  {"2d", {64, 37, 1}, 6},   {"3d", {16, 24, 9}, 5},
                            {"a1d", {50, 1, 3}, 6},  {"a2d", {40, 64, 4}, 7},  {"cube", {32, 32, 1}, 6},
                            {"acube", {20, 20, 2}, 5}};
    auto add = [&](const string& kernel, const Shape& shape, const char* format, unsigned levels, int address, int linear,
                   int between, int fraction, float bias = 0, float least = 0, float most = 100) {
        all.push_back({strdup(kernel.c_str()), shape.dimension, format, {shape.size[0], shape.size[1], shape.size[2]},
                       levels, address, linear, between, fraction, bias, least, most});
    };
    const Shape &one = shapes[0], &two = shapes[1], &three = shapes[2], &layers = shapes[4], &cube = shapes[5];
    // Levels: shapes, filters, address modes; then formats, bias and clamps.
    for (auto& shape : shapes)
        for (int filters = 0; filters < 4; filters++)
            add(string("level_") + shape.dimension, shape, "f32x1", shape.levels, filters % 3, filters & 1, filters / 2, 1);
    for (int address = 0; address < 4; address++) add("level_2d", two, "f32x4", 6, address, 1, 1, 1);
    for (auto format : {"u8x4", "s8x2", "u16x1", "s16x2", "f16x4"})
        for (auto& shape : {two, three})
            for (int linear = 0; linear < 2; linear++)
                add(string("level_") + shape.dimension, shape, format, shape.levels, 1, linear, 1, 1);
    const float clamps[][3] = {{0.37f, 0.3f, 3.7f}, {-1.63f, 0, 100}, {0, 2.5f, 2.5f},  {0, 4, 2},
                               {1 / 256.f, 0, 100}, {20, 0, 100},     {-20, 0, 100},    {0.25f, -2.5f, 3.3f}};
    for (auto& c : clamps)
        for (int between = 0; between < 2; between++) add("level_2d", two, "f32x1", 6, 1, 1, between, 1, c[0], c[1], c[2]);
    for (auto& shape : {one, two, three, layers, cube}) {
        add(string("tex_") + shape.dimension, shape, "f32x1", shape.levels, 1, 1, 1, 1);
        add(string("tex_") + shape.dimension, shape, "f32x1", shape.levels, 1, 1, 1, 1, 0.5f, 1.3f, 3);
    }
    for (auto& shape : {two, three, layers})
        for (int address : {0, 1, 3}) {
            add(string("level_") + shape.dimension + "_s32", shape, "f32x2", shape.levels, address, 0, 0, 1, 0, 1, 2);
            add(string("level_") + shape.dimension + "_s32", shape, "f32x2", 0, address, 0, 0, 0);
        }
    for (auto& shape : shapes) {
        if (!is(shape.dimension, "a1d")) add(string("grad_") + shape.dimension, shape, "f32x1", shape.levels, 1, 1, 1, 1);
        add("sizes", shape, "f32x1", shape.levels, 1, 0, 0, 1);
    }
    add("grad_2d", {"2d", {256, 256, 1}, 9}, "f32x1", 9, 1, 1, 1, 1, 0.5f);
    // Offsets, gathers.
    for (auto& shape : shapes) {
        if (strstr(shape.dimension, "cube")) continue;
        for (int address = 0; address < 4; address++)
            for (int linear = 0; linear < 2; linear++) {
                add(string("offset_") + shape.dimension, shape, "f32x1", 0, address, linear, 0, (address + linear) % 2);
                if (!linear) add(string("offset_") + shape.dimension + "_s32", shape, "f32x1", 0, address, 0, 0, 0);
            }
    }
    for (int address = 0; address < 4; address++) {
        add("offset_level_2d", two, "f32x1", 6, address, 1, 1, 1);
        add("gather_offset_2d", two, "f32x1", 0, address, 1, 0, address % 2);
        add("gather_offset_a2d", layers, "f32x1", 0, address, 1, 0, address % 2);
        add("gather_a2d", layers, "u8x4", 0, address, 0, 0, 1);
        add("gather_cube", cube, "f32x1", 0, address, 1, 0, 1);
        add("gather_acube", shapes[6], "f32x1", 0, address, 1, 0, 1);
    }
    add("gather_a2d", layers, "f32x1", 7, 1, 1, 1, 1, 0, 1.3f, 3);
    // The rest.
    for (auto& shape : {one, two, layers, cube}) add(string("depth_") + shape.dimension, shape, "f32x1", 0, 1, 1, 0, 1);
    for (int linear = 0; linear < 2; linear++) {
        add("depth_offset_2d", two, "f32x1", 0, 1, linear, 0, 0);
        add("depth_gather_2d", two, "f32x1", 0, 1, linear, 0, 0);
        for (auto format : {"f32x4", "f16x4", "f32x1"}) add("halves_2d", two, format, 0, 1, linear, 0, 0);
        add("resident_2d", two, "f32x1", 0, 3, linear, 0, 0);
    }
    add("halves_2d_s32", two, "f32x4", 0, 1, 0, 0, 0);
    add("sample_2dms", two, "f32x1", 0, 1, 0, 0, 0);
    add("sample_a2dms", layers, "f32x1", 0, 1, 0, 0, 0);
    return all;
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "texture_forms texture_forms.ptx\n");
        return 2;
    }
    std::stringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    CHECK(cuInit(0));
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CHECK(cuModuleLoadData(&module, text.str().c_str()));
    auto all = cases();
    for (size_t i = 0; i < all.size(); i++) run(module, all[i], (int)i);
    return 0;
}
