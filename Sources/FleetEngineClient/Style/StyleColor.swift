import StrictCoding

/// A color of the sRGB color space, with eight bits for each component.
public struct StyleColor: Hashable, Sendable, CustomStringConvertible {
    /// The red component, from 0 to 255.
    public var red: UInt8
    /// The green component, from 0 to 255.
    public var green: UInt8
    /// The blue component, from 0 to 255.
    public var blue: UInt8
    /// The opacity, from 0 to 255; 255 is opaque.
    public var alpha: UInt8

    /// Creates a color from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates a color from a text such as `#1A6BE0`, or `#1A6BE080` with opacity; nil for any other text.
    public init?(_ text: String) {
        let digits = Array(text.utf8.dropFirst())
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8 else { return nil }
        var components: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hexadecimal.value(of: digits[index]), let low = Hexadecimal.value(of: digits[index + 1])
            else {
                return nil
            }
            components.append(high << 4 | low)
        }
        self.init(
            red: components[0],
            green: components[1],
            blue: components[2],
            alpha: components.count == 4 ? components[3] : 255
        )
    }

    /// The color as `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
    public var description: String {
        let components = [red, green, blue] + (alpha == 255 ? [] : [alpha])
        return components.reduce(into: "#") { text, component in
            let digits = String(component, radix: 16, uppercase: true)
            text += digits.utf8.count == 1 ? "0" + digits : digits
        }
    }
}

extension StyleColor {
    /// The blue of the active route.
    public static let blue = Self(red: 0x1A, green: 0x6B, blue: 0xE0)
    /// The gray of the remaining route.
    public static let gray = Self(red: 0x7B, green: 0x87, blue: 0x94)
    /// The dark gray of stretches without traffic data.
    public static let slate = Self(red: 0x5F, green: 0x6B, blue: 0x7A)
    /// The orange of slow traffic.
    public static let orange = Self(red: 0xE8, green: 0x93, blue: 0x0C)
    /// The red of a traffic jam.
    public static let red = Self(red: 0xD3, green: 0x2F, blue: 0x2F)
    /// Yellow, as in the guide's example.
    public static let yellow = Self(red: 0xFF, green: 0xFF, blue: 0x00)
    /// Purple, as in the guide's example.
    public static let purple = Self(red: 0x80, green: 0x00, blue: 0x80)
}
