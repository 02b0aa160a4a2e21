import FleetEngineClient
import Foundation

/// What is wrong with a style's JSON, in a sentence for developers.
nonisolated struct StyleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    let description: String
}

nonisolated extension StyleCoordinator {
    /// Creates a coordinator from JSON, such as the journey page's examples.
    ///
    /// `{"markers": {"tripVehicle": {"icon": "van"}}, "polylines": {"activeRoute": {"width": 4}}}`: types and options
    /// that are left out, and types that are `null`, have their defaults.
    ///
    /// - Throws: ``StyleError`` for an unknown type or option, or a value out of range.
    init(json: Data) throws {
        guard case .object(let style)? = try? JSONDecoder().decode(StyleValue.self, from: json) else {
            throw StyleError(description: "The style is not a JSON object.")
        }
        self.init()
        for (name, value) in style {
            switch name {
            case "markers":
                for (name, value) in try value.object(name) where value != .null {
                    let type: CustomizableMarkerType = try Self.type(name)
                    var options = MarkerStyleOptions(for: type)
                    for (option, value) in try value.object(name) { try options.set(option, value) }
                    setMarkerStyleOptions(options, markerType: type)
                }
            case "polylines":
                for (name, value) in try value.object(name) where value != .null {
                    let type: PolylineType = try Self.type(name)
                    var options = PolylineStyleOptions(for: type)
                    for (option, value) in try value.object(name) { try options.set(option, value) }
                    setPolylineStyleOptions(options, polylineType: type)
                }
            default: throw StyleError(description: "Unknown part of a style: \(name). Use markers and polylines.")
            }
        }
    }

    /// The style as JSON, with all options of all types.
    var json: Data {
        let markers = CustomizableMarkerType.allCases.map { ($0.rawValue, markerStyleOptions(for: $0).value) }
        let polylines = PolylineType.allCases.map { ($0.rawValue, polylineStyleOptions(for: $0).value) }
        let style: StyleValue = .object([
            "markers": .object(Dictionary(uniqueKeysWithValues: markers)),
            "polylines": .object(Dictionary(uniqueKeysWithValues: polylines)),
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Only numbers that are not finite cannot be encoded, and the options have none.
        return (try? encoder.encode(style)) ?? Data()
    }

    private static func type<Type: RawRepresentable<String>>(_ name: String) throws -> Type {
        guard let type = Type(rawValue: name) else {
            throw StyleError(description: "Unknown type of marker or polyline: \(name).")
        }
        return type
    }
}

nonisolated extension MarkerStyleOptions {
    fileprivate mutating func set(_ name: String, _ value: StyleValue) throws {
        switch name {
        case "groundAnchor":
            for (share, value) in try value.object(name) {
                switch share {
                case "x": groundAnchor.x = try value.number(share, in: 0...1)
                case "y": groundAnchor.y = try value.number(share, in: 0...1)
                default: throw StyleError(description: "Unknown part of groundAnchor: \(share). Use x and y.")
                }
            }
        case "isVisible": isVisible = try value.bool(name)
        case "icon": icon = Icon(rawValue: try value.text(name))
        case "iconView": iconView = value == .null ? nil : Icon(rawValue: try value.text(name))
        case "zIndex": zIndex = try value.index(name)
        case "isFlat": isFlat = try value.bool(name)
        default: throw StyleError(description: "Unknown option of a marker: \(name).")
        }
    }

    fileprivate var value: StyleValue {
        .object([
            "groundAnchor": .object(["x": .number(groundAnchor.x), "y": .number(groundAnchor.y)]),
            "isVisible": .bool(isVisible), "icon": .text(icon.rawValue),
            "iconView": iconView.map { .text($0.rawValue) } ?? .null, "zIndex": .number(Double(zIndex)),
            "isFlat": .bool(isFlat),
        ])
    }
}

nonisolated extension PolylineStyleOptions {
    fileprivate mutating func set(_ name: String, _ value: StyleValue) throws {
        switch name {
        case "color": color = try value.color(name)
        case "width": width = try value.number(name, in: 0.1...40)
        case "isVisible": isVisible = try value.bool(name)
        case "zIndex": zIndex = try value.index(name)
        case "isGeodesic": isGeodesic = try value.bool(name)
        case "isTrafficEnabled": isTrafficEnabled = try value.bool(name)
        case "trafficColors":
            for (entry, value) in try value.object(name) {
                guard let speed = SpeedType.allCases.first(where: { "\($0)" == entry }) else {
                    throw StyleError(description: "Unknown speed: \(entry). Use noData, normal, slow or trafficJam.")
                }
                setTrafficColor(for: speed, color: try value.color(entry))
            }
        default: throw StyleError(description: "Unknown option of a polyline: \(name).")
        }
    }

    fileprivate var value: StyleValue {
        let colors = SpeedType.allCases.map { ("\($0)", StyleValue.text(trafficColor(for: $0).description)) }
        return .object([
            "color": .text(color.description), "width": .number(width), "isVisible": .bool(isVisible),
            "zIndex": .number(Double(zIndex)), "isGeodesic": .bool(isGeodesic),
            "isTrafficEnabled": .bool(isTrafficEnabled),
            "trafficColors": .object(Dictionary(uniqueKeysWithValues: colors)),
        ])
    }
}

/// A value in a style's JSON.
nonisolated private enum StyleValue: Codable, Equatable {
    case null, bool(Bool), number(Double), text(String), list([StyleValue]), object([String: StyleValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([StyleValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: StyleValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }

    func object(_ name: String) throws -> [String: StyleValue] {
        guard case .object(let members) = self else { throw StyleError(description: "\(name) is not a JSON object.") }
        return members
    }

    func bool(_ name: String) throws -> Bool {
        guard case .bool(let bool) = self else { throw invalid(name) }
        return bool
    }

    func text(_ name: String) throws -> String {
        guard case .text(let text) = self, !text.isEmpty else { throw invalid(name) }
        return text
    }

    func color(_ name: String) throws -> StyleColor {
        guard let color = StyleColor(try text(name)) else { throw invalid(name) }
        return color
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        guard case .number(let number) = self, range.contains(number) else { throw invalid(name) }
        return number
    }

    func index(_ name: String) throws -> Int {
        guard case .number(let number) = self, let index = Int32(exactly: number) else { throw invalid(name) }
        return Int(index)
    }

    private func invalid(_ name: String) -> StyleError { StyleError(description: "The \(name) is invalid.") }
}
