//! Arrays, textures and surfaces.

use super::host::Host;
use crate::api::Kind;

/// `out[i] = tex1Dfetch / tex2D` of a texture at the centre of texel (i, 1).
const PTX: &str = "
.version 8.0
.target sm_90
.address_size 64
.visible .entry fetch(.param .u64 texture, .param .u64 out)
{
    .reg .b32 %r<3>; .reg .f32 %f<8>; .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [texture]; ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f1, %r1; add.f32 %f2, %f1, 0f3F000000;
    mov.f32 %f3, 0f3FC00000;
    tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f2, %f3}];
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.f32 [%rd4], %f4;
    ret;
}
";

fn host() -> Host {
    Host::new(PTX, &["fetch"], &[])
}

/// `cudaCreateChannelDesc<float>()`.
fn of_floats(host: &mut Host) -> u64 {
    let bytes: Vec<u8> = [32, 0, 0, 0, 2u32].iter().flat_map(|n| n.to_le_bytes()).collect();
    host.variable(&bytes)
}

#[test]
fn texels_go_into_an_array_and_come_back_by_a_texture() {
    let mut host = host();
    let floats = of_floats(&mut host);
    let array = host.made("cudaMallocArray", &[floats, 4, 3, 0]);
    let h = host.malloc(48);
    host.put_ints(h, (0..12).map(|n| (n as f32).to_bits() as i32));
    host.ok("cudaMemcpy2DToArray", &[array, 0, 0, h, 16, 16, 3, 1]);
    let mut resource = vec![0; 18];
    resource[1] = array;
    let resource = host.words(&resource);
    // Clamped, point-sampled, as they are.
    let sampling: Vec<u8> =
        [[1u32; 3].as_slice(), &[0; 15]].concat().iter().flat_map(|n| n.to_le_bytes()).collect();
    let sampling = host.variable(&sampling);
    let texture = host.made("cudaCreateTextureObject", &[resource, sampling, 0]);
    let d = host.made("cudaMalloc", &[16]);
    host.launch(1, [1, 4], &[&texture.to_le_bytes(), &d.to_le_bytes()]);
    let back = host.malloc(16);
    host.ok("cudaMemcpy", &[back, d, 16, 2]);
    assert_eq!(host.ints(back, 4), [4.0f32, 5.0, 6.0, 7.0].map(|n| n.to_bits() as i32));
    host.ok("cudaMemcpy2DFromArray", &[back, 8, array, 4, 1, 8, 2, 2]);
    assert_eq!(host.ints(back, 4), [5.0f32, 6.0, 9.0, 10.0].map(|n| n.to_bits() as i32));
    let info = host.variable(&[0; 24]);
    host.ok("cudaArrayGetInfo", &[0, info, 0, array]);
    assert_eq!([0, 8, 16].map(|n| host.word(info + n)), [4, 3, 0]);
    let surface = host.made("cudaCreateSurfaceObject", &[resource]);
    host.ok("cudaDestroySurfaceObject", &[surface]);
    host.ok("cudaDestroyTextureObject", &[texture]);
    assert_eq!(host.api.findings(), []);
    assert_eq!(host.call("cudaDestroyTextureObject", &[texture]), 1);
    host.ok("cudaFreeArray", &[array]);
    assert_eq!(host.call("cudaFreeArray", &[array]), 400);
}

#[test]
fn widths_of_arrays_in_the_wrong_unit_are_reported() {
    let mut host = host();
    let floats = of_floats(&mut host);
    let array = host.made("cudaMallocArray", &[floats, 4, 3, 0]);
    let h = host.malloc(48);
    host.ok("cudaMemcpy2DToArray", &[array, 0, 0, h, 4, 4, 3, 1]);
    assert!(
        matches!(host.kinds()[0], Kind::WidthInElements { given: 4, width: 16, .. }),
        "{:?}",
        host.kinds()
    );
    // In `cudaMemcpy3D` an array's extent is in texels, and these are bytes.
    let parameters: Vec<u64> =
        [&[0, 0, 0, 0, h, 16, 16, 3][..], &[array, 0, 0, 0, 0, 0, 0, 0], &[16, 3, 1, 1]].concat();
    let parameters = host.words(&parameters);
    assert_eq!(host.call("cudaMemcpy3D", &[parameters]), 1);
    assert!(
        matches!(host.kinds()[1], Kind::WidthInBytes { given: 16, texels: 4, texel: 4 }),
        "{:?}",
        host.kinds()
    );
    assert_eq!(host.call("cudaMemcpy2DToArray", &[array, 4, 0, h, 16, 16, 3, 1]), 1);
    assert!(matches!(host.kinds()[2], Kind::Beyond { .. }));
    assert_eq!(host.call("cudaMemcpy", &[array, h, 48, 1]), 1);
    let Kind::BadArgument { parameter: "dst", why } = host.kinds()[3] else { panic!("{:?}", host.kinds()) };
    assert!(why.contains("cudaMemcpy2DToArray"), "{why}");
}

#[test]
fn formats_that_the_device_does_not_have_are_refused() {
    let mut host = host();
    let bytes: Vec<u8> = [32, 32, 32, 0, 2u32].iter().flat_map(|n| n.to_le_bytes()).collect();
    let three = host.variable(&bytes);
    assert_eq!(host.call("cudaMallocArray", &[0x8000, three, 4, 3, 0]), 20);
}
