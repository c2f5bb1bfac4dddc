//! Behaviour common to both devices; each test runs it on its own device.

#![allow(clippy::unwrap_used, dead_code)]

use device::{
    Arg, Buffer, Device, Direction, Error, Extent, HostMemory, Launch, Module, Region, Step, Transfer,
};

/// Each thread of one warp adds 1 to its word.
pub(crate) const ADD_ONE: &str = r"
.version 8.0
.target sm_52
.address_size 64
.visible .entry add_one(.param .u64 p)
{
    .reg .b32 %r<3>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.global.u32 %r2, [%rd2]; add.s32 %r2, %r2, 1; st.global.u32 [%rd2], %r2;
    ret;
}
";

/// ```c
/// __constant__ unsigned table[4]; __device__ unsigned *where;
/// struct Matrix { size_t rows; unsigned *elements; unsigned last; };
/// __global__ void put(struct Matrix m) { m.elements[m.rows] = m.last + table[1]; }
/// ```
const PUT: &str = r"
.version 8.0
.target sm_52
.address_size 64
.const .align 4 .b8 table[16];
.visible .global .align 8 .u64 where;
.visible .entry put(.param .align 8 .b8 m[24])
{
    .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [m]; ld.param.u64 %rd2, [m+8]; ld.param.u32 %r1, [m+16];
    shl.b64 %rd3, %rd1, 2; add.s64 %rd2, %rd2, %rd3;
    ld.const.u32 %r2, [table+4]; add.s32 %r1, %r1, %r2;
    st.global.u32 [%rd2], %r1;
    ret;
}
";

fn launch(module: Module, kernel: &str, block: u32, args: Vec<Arg>) -> Launch {
    Launch {
        module,
        kernel: kernel.to_owned(),
        grid: [1; 3],
        block: [block, 1, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    }
}

pub(crate) fn add_one(module: Module, buffer: Buffer) -> Launch {
    launch(module, "add_one", 32, vec![buffer.into()])
}

fn all(device: &mut dyn Device, buffer: Buffer) -> Vec<u8> {
    let mut bytes = vec![0; buffer.bytes() as usize];
    device.read(buffer, 0, &mut bytes).unwrap();
    bytes
}

const EXTENT: Extent = Extent { width: 60, height: 15, depth: 3 };

pub(crate) fn rows_and_slices(device: &mut dyn Device) {
    let pitched = device.allocate_pitched(60, 45, 4).unwrap();
    assert_eq!((pitched.pitch, pitched.buffer.bytes()), (512, 512 * 45));
    device.fill(pitched.buffer, 0xeeee_eeee).unwrap();
    let host: Vec<u8> = (0..60 * 45).map(|i| (i % 201) as u8).collect();
    device.write_3d(pitched.buffer, pitched.region(15), &host, Region::packed(EXTENT), EXTENT).unwrap();
    for (row, bytes) in all(device, pitched.buffer).chunks(512).enumerate() {
        assert_eq!(bytes[..60], host[row * 60..][..60], "row {row}");
        assert!(bytes[60..].iter().all(|byte| *byte == 0xee), "the padding of row {row}");
    }

    // Back, two bytes further in each row, and with rows between the slices of the host's array.
    let narrow = Extent { width: 58, height: 14, depth: 3 };
    let mut back = vec![0xaa; 3 * 16 * 61];
    let from = Region { offset: 512 + 2, ..pitched.region(15) };
    let to = Region { offset: 1, pitch: 61, height: 16 };
    device.read_3d(pitched.buffer, from, &mut back, to, narrow).unwrap();
    for slice in 0..3 {
        for row in 0..16 {
            let got = &back[(slice * 16 + row) * 61..][..61];
            if row < 14 {
                assert_eq!(
                    got[1..59],
                    host[(slice * 15 + row + 1) * 60 + 2..][..58],
                    "slice {slice} row {row}"
                );
                assert_eq!((got[0], got[59], got[60]), (0xaa, 0xaa, 0xaa));
            } else {
                assert!(got.iter().all(|byte| *byte == 0xaa));
            }
        }
    }

    // From device to device, rows without gaps; to the very last byte.
    let packed = device.allocate(60 * 45 + 1).unwrap();
    let at = Region { offset: 1, ..Region::packed(EXTENT) };
    device.copy_3d(packed, at, pitched.buffer, pitched.region(15), EXTENT).unwrap();
    assert_eq!(all(device, packed)[1..], host);
    device.free(packed).unwrap();
    device.free(pitched.buffer).unwrap();
}

/// An error's words.
fn said<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "no error".to_owned(),
        Err(error) => {
            assert!(!error.is_fault(), "{error}");
            error.to_string()
        }
    }
}

/// The copies of [`misuse`] that are sound: where they lie in their buffer, and their size.
const MISUSED_AT: Region = Region { offset: 0, pitch: 512, height: 5 };
const MISUSED: Extent = Extent { width: 60, height: 5, depth: 3 };

pub(crate) fn misuse(device: &mut dyn Device) {
    let module = device.load("put.ptx", PUT).unwrap();
    let buffer = device.allocate(7680).unwrap();
    misused_copies(device, buffer);
    misused_allocations(device);
    misused_steps(device, module, buffer);

    let odd = device.allocate(6).unwrap();
    assert_eq!(said(device.fill(odd, 0)), "fill of a buffer of 6 bytes: its size is not a multiple of 4");

    let nothing = Transfer { direction: Direction::ToHost, memory: HostMemory::Pageable, bytes: 0 };
    assert_eq!(said(device.time_transfer(&nothing, None, 1)), "a transfer of 0 bytes copies nothing");
    let huge = Transfer { bytes: 1 << 60, ..nothing };
    assert!(said(device.time_transfer(&huge, None, 1)).contains("out of device memory"));

    misused_after_free(device, buffer);
}

fn misused_copies(device: &mut dyn Device, buffer: Buffer) {
    let (at, extent) = (MISUSED_AT, MISUSED);
    let mut host = vec![0; 60 * 15];
    let packed = Region::packed(extent);
    device.write_3d(buffer, at, &host, packed, extent).unwrap();

    let outside = "buffer: bytes 8..7744 are not inside of its 7680 bytes";
    let wide = Extent { width: 568, height: 5, depth: 3 };
    let cases = [
        (Region { offset: 8, ..at }, extent, "no error"),
        (Region { offset: 8, pitch: 512, height: 5 }, Extent { width: 512, ..extent }, ""),
        (
            Region { pitch: 59, ..at },
            extent,
            "a pitch of 59 bytes in the buffer is narrower than the rows, 60 bytes",
        ),
        (at, wide, "a pitch of 512 bytes in the buffer is narrower than the rows, 568 bytes"),
        (
            Region { height: 4, ..at },
            extent,
            "a slice of 4 rows in the buffer is lower than what is copied, 5 rows",
        ),
        (Region { offset: u64::MAX, ..at }, extent, "buffer: bytes 18446744073709551615"),
        (at, Extent { width: 0, ..extent }, "a copy of 0 bytes by 5 rows by 3 slices copies nothing"),
        (at, Extent { height: 0, ..extent }, "copies nothing"),
        (at, Extent { depth: 0, ..extent }, "copies nothing"),
        (Region { pitch: u64::MAX, ..at }, extent, "more than 2^64 bytes"),
    ];
    for (region, extent, wanted) in cases {
        // A host's array that is large enough, wherever it can be.
        let rows = Region { offset: 0, pitch: extent.width, height: extent.height };
        let mut host = vec![0; 1 << 14];
        let messages = [
            said(device.write_3d(buffer, region, &host, rows, extent)),
            said(device.read_3d(buffer, region, &mut host, rows, extent)),
        ];
        let wanted = if wanted.is_empty() { outside.replace("7744", "7688") } else { wanted.to_owned() };
        for message in messages {
            assert!(message.contains(&wanted), "{message}\n{wanted}");
        }
    }
    let message = said(device.read_3d(buffer, at, &mut host[1..], packed, extent));
    assert_eq!(message, "host's array: bytes 0..900 are not inside of its 899 bytes");
}

fn misused_allocations(device: &mut dyn Device) {
    for (width, rows, element, wanted) in [
        (0, 15, 4, "15 rows of 0 bytes are nothing to allocate"),
        (60, 0, 4, "0 rows of 60 bytes are nothing to allocate"),
        (60, 15, 2, "elements of 2 bytes"),
        (u64::MAX, 15, 4, "more than 2^64 bytes"),
        (60, u64::MAX, 4, "more than 2^64 bytes"),
        (60, 1 << 50, 4, "out of device memory: 576460752303423488 bytes asked for"),
    ] {
        let message = said(device.allocate_pitched(width, rows, element));
        assert!(message.contains(wanted), "{message}");
    }
}

fn misused_steps(device: &mut dyn Device, module: Module, buffer: Buffer) {
    let steps = [
        (
            Step::Copy { to: buffer, to_offset: 0, from: buffer, from_offset: 9, bytes: 10 },
            "a copy of 10 bytes from byte 9 to byte 0 of the same buffer overlaps itself",
        ),
        (
            Step::Copy { to: buffer, to_offset: 7680, from: buffer, from_offset: 0, bytes: 1 },
            "buffer: bytes 7680..7681 are not inside of its 7680 bytes",
        ),
        (
            Step::ToSymbol {
                module,
                name: "table".into(),
                offset: 8,
                from: buffer,
                from_offset: 0,
                bytes: 16,
            },
            "variable `table`: bytes 8..24 are not inside of its 16 bytes",
        ),
        (
            Step::FromSymbol { module, name: "tables".into(), offset: 0, to: buffer, to_offset: 0, bytes: 1 },
            "no constant or global variable `tables` in put.ptx; it has: table, where",
        ),
    ];
    for (step, wanted) in steps {
        assert_eq!(said(device.run(std::slice::from_ref(&step))), wanted);
        assert_eq!(said(device.time(&[step], 3)), wanted);
    }
}

fn misused_after_free(device: &mut dyn Device, buffer: Buffer) {
    device.free(buffer).unwrap();
    let freed = "this buffer was freed before";
    assert_eq!(said(device.free(buffer)), freed);
    assert_eq!(said(device.address(buffer)), freed);
    assert_eq!(said(device.write(buffer, 0, &[])), freed);
    assert_eq!(
        said(device.write_3d(buffer, MISUSED_AT, &[0; 60 * 15], Region::packed(MISUSED), MISUSED)),
        freed
    );
    assert_eq!(said(device.copy_3d(buffer, MISUSED_AT, buffer, MISUSED_AT, MISUSED)), freed);
    let copy = Step::Copy { to: buffer, to_offset: 0, from: buffer, from_offset: 0, bytes: 0 };
    assert_eq!(said(device.run(&[copy])), freed);
}

pub(crate) fn symbols(device: &mut dyn Device) {
    let module = device.load("put.ptx", PUT).unwrap();
    let buffer = device.allocate(16).unwrap();
    let bytes: Vec<u8> = (1..=16).collect();
    device.write(buffer, 0, &bytes).unwrap();
    device
        .run(&[
            Step::ToSymbol {
                module,
                name: "table".into(),
                offset: 4,
                from: buffer,
                from_offset: 8,
                bytes: 8,
            },
            Step::FromSymbol { module, name: "table".into(), offset: 4, to: buffer, to_offset: 1, bytes: 3 },
            Step::Copy { to: buffer, to_offset: 12, from: buffer, from_offset: 0, bytes: 4 },
        ])
        .unwrap();
    assert_eq!(all(device, buffer), [1, 9, 10, 11, 5, 6, 7, 8, 9, 10, 11, 12, 1, 9, 10, 11]);
    let mut table = [0; 16];
    device.read_symbol(module, "table", 0, &mut table).unwrap();
    assert_eq!(table, [0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0, 0, 0]);

    // A pointer variable.
    let address = device.address(buffer).unwrap();
    device.write_symbol(module, "where", 0, &address.to_le_bytes()).unwrap();
    let mut back = [0; 8];
    device.read_symbol(module, "where", 0, &mut back).unwrap();
    assert_eq!(u64::from_le_bytes(back), address);
    assert!(address.is_multiple_of(256) && address > 0);
}

pub(crate) fn struct_argument(device: &mut dyn Device) {
    let module = device.load("put.ptx", PUT).unwrap();
    let buffer = device.allocate(16).unwrap();
    device.fill(buffer, 0).unwrap();
    device.write_symbol(module, "table", 4, &30u32.to_le_bytes()).unwrap();
    let matrix = Arg::Struct(vec![Arg::U64(2), Arg::Buffer { buffer, offset: 4 }, Arg::U32(12)]);
    device.run(&[launch(module, "put", 1, vec![matrix]).into()]).unwrap();
    assert_eq!(all(device, buffer), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0]);
}
