import StrictCoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is wrong with a style's JSON, in a sentence for developers.
public struct StyleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String
}

extension StyleCoordinator {
    /// Creates a coordinator from JSON, such as the journey page's examples.
    ///
    /// `{"markers": {"tripVehicle": {"icon": "van"}}, "polylines": {"activeRoute": {"width": 4}}}`: types and options
    /// that are left out, and types that are `null`, have their defaults.
    ///
    /// - Throws: ``StyleError`` for an unknown type or option, or a value out of range.
    public init(json: Data) throws(StyleError) {
        let style: JSONObject
        do {
            style = try JSONParser.parseObject(json)
        } catch {
            throw StyleError("The style is not a JSON object: \(error)")
        }
        self.init()
        for member in style.members {
            switch member.name {
            case "markers":
                for entry in try member.object() {
                    let type = try entry.type(CustomizableMarkerType.self)
                    guard entry.value != .null else { continue }
                    var options = MarkerStyleOptions(for: type)
                    for option in try entry.object() { try options.set(option) }
                    setMarkerStyleOptions(options, markerType: type)
                }
            case "polylines":
                for entry in try member.object() {
                    let type = try entry.type(PolylineType.self)
                    guard entry.value != .null else { continue }
                    var options = PolylineStyleOptions(for: type)
                    for option in try entry.object() { try options.set(option) }
                    setPolylineStyleOptions(options, polylineType: type)
                }
            default: throw StyleError("Unknown part of a style: \(member.name). Use markers and polylines.")
            }
        }
    }

    /// The style as JSON, with all options of all types.
    public var json: Data {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("markers")
            writer.object { writer in
                for type in CustomizableMarkerType.allCases {
                    writer.name(text: type.rawValue)
                    markerStyleOptions(for: type).write(to: &writer)
                }
            }
            writer.name("polylines")
            writer.object { writer in
                for type in PolylineType.allCases {
                    writer.name(text: type.rawValue)
                    polylineStyleOptions(for: type).write(to: &writer)
                }
            }
        }
        return Data(writer.bytes)
    }
}

extension StyleError {
    fileprivate init(_ description: String) {
        self.description = description
    }
}

extension MarkerStyleOptions {
    fileprivate mutating func set(_ option: JSONObject.Member) throws(StyleError) {
        switch option.name {
        case "groundAnchor":
            var anchor = groundAnchor
            for share in try option.object() {
                switch share.name {
                case "x": anchor.x = try share.number(in: 0...1)
                case "y": anchor.y = try share.number(in: 0...1)
                default: throw StyleError("Unknown part of groundAnchor: \(share.name). Use x and y.")
                }
            }
            groundAnchor = anchor
        case "isVisible": isVisible = try option.bool()
        case "icon": icon = Icon(rawValue: try option.string())
        case "zIndex":
            guard let index = option.value.integerValue.flatMap(Int32.init(exactly:)) else { throw option.invalid }
            zIndex = Int(index)
        case "isFlat": isFlat = try option.bool()
        default: throw StyleError("Unknown option of a marker: \(option.name).")
        }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("groundAnchor")
            writer.object { writer in
                writer.name("x")
                writer.value(.decimal("\(groundAnchor.x)"))
                writer.name("y")
                writer.value(.decimal("\(groundAnchor.y)"))
            }
            writer.name("isVisible")
            writer.bool(isVisible)
            writer.name("icon")
            writer.string(icon.rawValue)
            writer.name("zIndex")
            writer.integer(zIndex)
            writer.name("isFlat")
            writer.bool(isFlat)
        }
    }
}

extension PolylineStyleOptions {
    fileprivate mutating func set(_ option: JSONObject.Member) throws(StyleError) {
        switch option.name {
        case "color": color = try option.color()
        case "width": width = try option.number(in: 0.1...40)
        case "isVisible": isVisible = try option.bool()
        case "isTrafficEnabled": isTrafficEnabled = try option.bool()
        case "trafficColors":
            for entry in try option.object() {
                guard let speed = SpeedType.allCases.first(where: { "\($0)" == entry.name }) else {
                    throw StyleError("Unknown speed: \(entry.name). Use noData, normal, slow or trafficJam.")
                }
                setTrafficColor(for: speed, color: try entry.color())
            }
        default: throw StyleError("Unknown option of a polyline: \(option.name).")
        }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("color")
            writer.string(color.description)
            writer.name("width")
            writer.value(.decimal("\(width)"))
            writer.name("isVisible")
            writer.bool(isVisible)
            writer.name("isTrafficEnabled")
            writer.bool(isTrafficEnabled)
            writer.name("trafficColors")
            writer.object { writer in
                for speed in SpeedType.allCases {
                    writer.name(text: "\(speed)")
                    writer.string(trafficColor(for: speed).description)
                }
            }
        }
    }
}

extension JSONObject.Member {
    fileprivate var invalid: StyleError { StyleError("The \(name) is invalid.") }

    fileprivate func type<Type: RawRepresentable<String>>(_: Type.Type) throws(StyleError) -> Type {
        guard let type = Type(rawValue: name) else { throw StyleError("Unknown type of marker or polyline: \(name).") }
        return type
    }

    fileprivate func object() throws(StyleError) -> [JSONObject.Member] {
        guard let object = value.objectValue else { throw StyleError("\(name) is not a JSON object.") }
        return object.members
    }

    fileprivate func bool() throws(StyleError) -> Bool {
        guard let bool = value.boolValue else { throw invalid }
        return bool
    }

    fileprivate func string() throws(StyleError) -> String {
        guard let string = value.stringValue, !string.utf8.isEmpty else { throw invalid }
        return string
    }

    fileprivate func color() throws(StyleError) -> StyleColor {
        guard let color = value.stringValue.flatMap(StyleColor.init) else { throw invalid }
        return color
    }

    fileprivate func number(in range: ClosedRange<Double>) throws(StyleError) -> Double {
        let number: Double? =
            switch value {
            case .integer(let integer): Double(integer)
            case .decimal(let text): Double(text)
            default: nil
            }
        guard let number, range.contains(number) else { throw invalid }
        return number
    }
}
