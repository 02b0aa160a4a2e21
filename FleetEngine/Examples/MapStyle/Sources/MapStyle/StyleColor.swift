/// A color of the sRGB color space, with eight bits for each component.
nonisolated struct StyleColor: Hashable, Sendable, CustomStringConvertible {
    /// The red component, from 0 to 255.
    var red: UInt8
    /// The green component, from 0 to 255.
    var green: UInt8
    /// The blue component, from 0 to 255.
    var blue: UInt8
    /// The opacity, from 0 to 255; 255 is opaque.
    var alpha: UInt8

    /// Creates a color from its components.
    init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates a color from a text such as `#1A6BE0`, or `#1A6BE080` with opacity; nil for any other text.
    init?(_ text: String) {
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count == 6 || digits.utf8.count == 8,
            digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(digits + (digits.utf8.count == 6 ? "FF" : ""), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(number >> 24),
            green: UInt8(number >> 16 & 0xFF),
            blue: UInt8(number >> 8 & 0xFF),
            alpha: UInt8(number & 0xFF)
        )
    }

    /// The color as `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
    var description: String {
        let components = [red, green, blue] + (alpha == 255 ? [] : [alpha])
        return components.reduce(into: "#") { text, component in
            let digits = String(component, radix: 16, uppercase: true)
            text += digits.utf8.count == 1 ? "0" + digits : digits
        }
    }
}

nonisolated extension StyleColor {
    /// The blue of the active route.
    static let blue = Self(red: 0x1A, green: 0x6B, blue: 0xE0)
    /// The gray of the remaining route.
    static let gray = Self(red: 0x7B, green: 0x87, blue: 0x94)
    /// The dark gray of stretches without traffic data.
    static let slate = Self(red: 0x5F, green: 0x6B, blue: 0x7A)
    /// The orange of slow traffic.
    static let orange = Self(red: 0xE8, green: 0x93, blue: 0x0C)
    /// The red of a traffic jam.
    static let red = Self(red: 0xD3, green: 0x2F, blue: 0x2F)
    /// Yellow, as in the guide's example.
    static let yellow = Self(red: 0xFF, green: 0xFF, blue: 0x00)
    /// Purple, as in the guide's example.
    static let purple = Self(red: 0x80, green: 0x00, blue: 0x80)
}
