import FleetEngineClient
import Foundation
import Testing

@testable import MapStyle

@Suite("The coordinator of map styles")
struct StyleCoordinatorTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../..")

    /// The examples that the journey page offers, by name.
    private static func example(_ name: String) throws -> StyleCoordinator {
        let file = root.appendingPathComponent("Sources/fleet-engine-emulator/Page/styles.json")
        let examples = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
        let example = try #require(examples.first { $0["name"] as? String == name })
        return try StyleCoordinator(json: JSONSerialization.data(withJSONObject: try #require(example["style"])))
    }

    @Test("Each example of the guide reads as the code that it shows")
    func examplesOfTheGuide() throws {
        var style = StyleCoordinator()
        #expect(try Self.example("Defaults of the guide") == style)

        // updateMarkerUIOptions
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.groundAnchor = .bottom
        marker.icon = .van
        marker.zIndex = 100
        marker.isFlat = false
        marker.isVisible = true
        style.setMarkerStyleOptions(marker, markerType: .tripVehicle)
        #expect(try Self.example("Guide: a vehicle marker of one's own") == style)
        style.setMarkerStyleOptions(nil, markerType: .tripVehicle)
        #expect(try Self.example("Guide: back to the defaults") == style)

        // updatePickupMarkerETA
        var pickup = style.markerStyleOptions(for: .tripPickupPoint)
        pickup.icon = .eta
        pickup.zIndex = 100
        style.setMarkerStyleOptions(pickup, markerType: .tripPickupPoint)
        #expect(try Self.example("Guide: the pickup marker shows the arrival time") == style)
        style.setMarkerStyleOptions(nil, markerType: .tripPickupPoint)

        // updatePolylineUIOptions
        style.setPolylineStyleOptions(PolylineStyleOptions(for: .activeRoute), polylineType: .activeRoute)
        #expect(try Self.example("Guide: a route with default options") == style)
        var route = PolylineStyleOptions(for: .activeRoute)
        route.isVisible = true
        route.isTrafficEnabled = true
        route.setTrafficColor(for: .slow, color: .yellow)
        route.setTrafficColor(for: .trafficJam, color: .purple)
        style.setPolylineStyleOptions(route, polylineType: .activeRoute)
        #expect(try Self.example("Guide: traffic in yellow and purple") == style)
        style.setPolylineStyleOptions(nil, polylineType: .activeRoute)
        #expect(try Self.example("Guide: back to the defaults") == style)
    }

    @Test("Nil restores the defaults, and other types keep their options", arguments: CustomizableMarkerType.allCases)
    func nilRestores(type: CustomizableMarkerType) {
        var style = StyleCoordinator()
        var options = style.markerStyleOptions(for: type)
        options.isVisible = false
        style.setMarkerStyleOptions(options, markerType: type)
        #expect(!style.markerStyleOptions(for: type).isVisible)
        for other in CustomizableMarkerType.allCases where other != type {
            #expect(style.markerStyleOptions(for: other) == MarkerStyleOptions(for: other))
        }
        style.setMarkerStyleOptions(nil, markerType: type)
        #expect(style == StyleCoordinator())
    }

    @Test("Traffic is off by default, and each speed has a color", arguments: PolylineType.allCases)
    func traffic(type: PolylineType) {
        var options = PolylineStyleOptions(for: type)
        #expect(!options.isTrafficEnabled)
        #expect(Set(SpeedType.allCases.map { options.trafficColor(for: $0) }).count == 4)
        options.setTrafficColor(for: .slow, color: .purple)
        #expect(options.trafficColor(for: .slow) == .purple)
        options.setTrafficColor(for: .slow, color: nil)
        #expect(options == PolylineStyleOptions(for: type))
    }

    @Test("The JSON has the style, all of it")
    func roundTrip() throws {
        var style = StyleCoordinator()
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.groundAnchor = .init(x: 0.25, y: 2)
        marker.zIndex = -7
        marker.iconView = .dot
        style.setMarkerStyleOptions(marker, markerType: .tripVehicle)
        var route = PolylineStyleOptions(for: .remainingRoute)
        route.color = StyleColor(red: 1, green: 2, blue: 3, alpha: 4)
        route.width = 2.5
        route.zIndex = 1000
        route.isGeodesic = true
        style.setPolylineStyleOptions(route, polylineType: .remainingRoute)
        let read = try StyleCoordinator(json: style.json)
        #expect(read.json == style.json)
        #expect(read.markerStyleOptions(for: .tripVehicle) == marker)
        #expect(read.markerStyleOptions(for: .tripVehicle).groundAnchor.y == 1)
        #expect(read.polylineStyleOptions(for: .remainingRoute) == route)
    }

    @Test(
        "Options that are out of range become the nearest within, so that the JSON reads",
        arguments: [
            (-Double.infinity, 0.1, 0, Int.min), (.infinity, 40, 1, .max), (.nan, 6, 0.5, 0), (0, 0.1, 0, 1 << 31),
        ]
    )
    func bounds(number: Double, width: Double, share: Double, index: Int) throws {
        var style = StyleCoordinator()
        var marker = MarkerStyleOptions(for: .tripVehicle)
        marker.groundAnchor.x = number
        marker.groundAnchor.y = number
        marker.zIndex = index
        style.setMarkerStyleOptions(marker, markerType: .tripVehicle)
        var route = PolylineStyleOptions(for: .activeRoute)
        route.width = number
        route.zIndex = index
        style.setPolylineStyleOptions(route, polylineType: .activeRoute)
        #expect(route.width == width)
        #expect(marker.groundAnchor == .init(x: share, y: share))
        #expect(marker.groundAnchor == .init(x: number, y: number))
        #expect(try StyleCoordinator(json: style.json).json == style.json)
    }

    @Test("The page's defaults are the same")
    func defaultsOfThePage() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("web/page/map-style.js"), encoding: .utf8)
        let style = StyleCoordinator()
        for type in CustomizableMarkerType.allCases {
            let options = style.markerStyleOptions(for: type)
            let anchor = options.groundAnchor == .bottom ? "bottom" : "center"
            #expect(
                page.contains(
                    "\(type): { groundAnchor: \(anchor), isVisible: true, icon: '\(options.icon.rawValue)', "
                        + "iconView: null, zIndex: \(options.zIndex), isFlat: \(options.isFlat) }"
                )
            )
        }
        for type in PolylineType.allCases {
            let options = style.polylineStyleOptions(for: type)
            let start =
                "\(type): { color: '\(options.color)', width: \(Int(options.width)), isVisible: true, "
                + "zIndex: \(options.zIndex), isGeodesic: false, "
            #expect(page.contains(start))
            for speed in SpeedType.allCases {
                #expect(page.contains("\(speed): '\(options.trafficColor(for: speed))'"))
            }
        }
    }

    @Test(
        "What is no style is an error that names it",
        arguments: [
            ("[]", "object"), (#"{"extra":1}"#, "extra"), (#"{"markers":{"taxi":{}}}"#, "taxi"),
            (#"{"markers":{"tripVehicle":{"opacity":1}}}"#, "opacity"),
            (#"{"markers":{"tripVehicle":{"groundAnchor":{"x":2}}}}"#, "x"),
            (#"{"markers":{"tripVehicle":{"zIndex":1.5}}}"#, "zIndex"),
            (#"{"markers":{"tripVehicle":{"icon":""}}}"#, "icon"),
            (#"{"markers":{"tripVehicle":{"isFlat":1}}}"#, "isFlat"),
            (#"{"markers":{"unknown":{"iconView":""}}}"#, "iconView"),
            (#"{"polylines":{"activeRoute":{"zIndex":4294967296}}}"#, "zIndex"),
            (#"{"polylines":{"activeRoute":{"isGeodesic":"yes"}}}"#, "isGeodesic"),
            (#"{"polylines":{"activeRoute":{"color":"red"}}}"#, "color"),
            (##"{"polylines":{"activeRoute":{"color":"#12345G"}}}"##, "color"),
            (#"{"polylines":{"activeRoute":{"width":0}}}"#, "width"),
            (##"{"polylines":{"activeRoute":{"trafficColors":{"fast":"#000000"}}}}"##, "fast"),
            (#"{"polylines":{"activeRoute":[]}}"#, "activeRoute"),
        ]
    )
    func invalid(json: String, word: String) {
        let error = #expect(throws: StyleError.self) { try StyleCoordinator(json: Data(json.utf8)) }
        #expect(error?.description.contains(word) == true)
    }

    @Test(
        "Arrival is told in minutes",
        arguments: [
            (-100.0, "now"), (0, "now"), (29, "now"), (31, "1 min"), (190, "3 min"), (3540, "59 min"),
            (3600, "1 h 0 min"), (3900, "1 h 5 min"), (.infinity, "24 h 0 min"), (.nan, "now"),
        ]
    )
    func arrival(seconds: Double, text: String) {
        #expect(ArrivalText.minutes(seconds) == text)
    }
}
