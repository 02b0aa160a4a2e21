import SwiftProtobuf

/// Encoded polylines: the difference of each point to the last, in 1e-5 degrees, five bits a character.
enum Polyline {
    /// Decodes an encoded polyline; nil if the text is not one.
    static func decode(_ text: String) -> [ProtoLatLng]? {
        var points: [ProtoLatLng] = []
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard let north = number(&rest), let east = number(&rest) else { return nil }
            latitude += north
            longitude += east
            guard abs(latitude) <= 9_000_000, abs(longitude) <= 18_000_000 else { return nil }
            points.append(
                .with {
                    $0.latitude = Double(latitude) / 1e5
                    $0.longitude = Double(longitude) / 1e5
                }
            )
        }
        return points
    }

    /// Returns the text of points.
    static func encode(_ points: [ProtoLatLng]) -> String {
        var text: [UInt8] = []
        var last: (Int64, Int64) = (0, 0)
        for point in points {
            let next = (scaled(point.latitude, limit: 90), scaled(point.longitude, limit: 180))
            append(next.0 - last.0, to: &text)
            append(next.1 - last.1, to: &text)
            last = next
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func scaled(_ degrees: Double, limit: Double) -> Int64 {
        Int64(nearest: (min(max(degrees, -limit), limit) * 1e5).rounded())
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 35, by: 5) {
            guard let byte = bytes.popFirst(), (63...126).contains(byte) else { return nil }
            value |= UInt64((byte - 63) & 0x1F) << shift
            if byte - 63 < 0x20 { return Int64(value >> 1) ^ -Int64(value & 1) }
        }
        return nil
    }

    private static func append(_ number: Int64, to text: inout [UInt8]) {
        var value = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        while value >= 0x20 {
            text.append(UInt8(value & 0x1F) + 0x20 + 63)
            value >>= 5
        }
        text.append(UInt8(value) + 63)
    }
}
