/// The page without an ID: what there is to follow, as HTML.
enum StartPage {
    /// How many rows of a list are shown.
    private static let maximumRows = 200

    /// Returns the page.
    static func html(_ fleet: Fleet, control: String) -> String {
        let trips = fleet.trips.values.map { record -> [Cell] in
            let trip = record.trip
            return [
                .link(trip.id, "/?trip=\(escaped(path: trip.id))\(project(trip.name))"), .text(trip.name.providerID),
                .text("\(trip.tripStatus)"), .text(trip.vehicleID),
            ]
        }
        let vehicles = fleet.vehicles.values.map { record -> [Cell] in
            let vehicle = record.vehicle
            return [
                .text(vehicle.name.resourceID), .text(vehicle.name.providerID), .text("\(vehicle.vehicleState)"),
                .text(place(vehicle.hasLastLocation ? vehicle.lastLocation.location : nil)),
            ]
        }
        let vans = fleet.deliveryVehicles.values.map { van -> [Cell] in
            [
                .text(van.name.resourceID), .text(van.name.providerID),
                .text("\(van.remainingVehicleJourneySegments.count)"),
                .text(place(van.hasLastLocation ? van.lastLocation.location : nil)),
            ]
        }
        let tasks = fleet.tasks.values.map { task -> [Cell] in
            let tracking = task.trackingID
            let link = "/?tracking=\(escaped(path: tracking))\(project(task.name))"
            return [
                .text(task.name.resourceID), .text(task.name.providerID), .text("\(task.state)"),
                .text(task.deliveryVehicleID), tracking.isEmpty ? .text("") : .link(tracking, link),
            ]
        }
        return page(
            table("Trips", columns: ["Trip", "Provider", "Status", "Vehicle"], trips)
                + table("Vehicles", columns: ["Vehicle", "Provider", "State", "Location"], vehicles)
                + table("Delivery vehicles", columns: ["Vehicle", "Provider", "Stops", "Location"], vans)
                + table("Tasks", columns: ["Task", "Provider", "State", "Vehicle", "Tracking ID"], tasks),
            control: control
        )
    }

    private enum Cell {
        case text(String)
        case link(String, String)

        var text: String {
            switch self {
            case .text(let text), .link(let text, _): text
            }
        }

        var html: String {
            switch self {
            case .text(let text): escaped(text)
            case .link(let text, let target): "<a href=\"\(escaped(target))\">\(escaped(text))</a>"
            }
        }
    }

    private static func page(_ lists: String, control: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Fleet Engine emulator</title>
        <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/page/page.css">
        <link rel="stylesheet" href="/page/start.css">
        </head>
        <body class="start">
        <h1>Fleet Engine emulator</h1>
        <p>It is not Google’s Fleet Engine, and forgets everything when it ends.
        <a href="\(escaped(control))/_emulator/">The control plane</a> sets faults, the clock, keys and the state.</p>
        <form method="get" action="/">
        <label>Trip <input name="trip" required maxlength="64" placeholder="trip-1" autocomplete="off"></label>
        <button class="primary">Follow</button>
        </form>
        <form method="get" action="/">
        <label>Tracking ID <input name="tracking" required maxlength="64" placeholder="parcel-1" autocomplete="off"></label>
        <button class="primary">Follow</button>
        </form>
        \(lists)
        </body>
        </html>

        """
    }

    private static func table(_ title: String, columns: [String], _ rows: [[Cell]]) -> String {
        let head = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let sorted = rows.sorted { ($0[1].text, $0[0].text) < ($1[1].text, $1[0].text) }
        let body = sorted.prefix(maximumRows).map { row in
            "<tr>\(zip(columns, row).map { "<td data-column=\"\($0)\">\($1.html)</td>" }.joined())</tr>"
        }
        let rest = rows.count > maximumRows ? "<p>and \(rows.count - maximumRows) more</p>" : ""
        return """
            <section class="card">
            <h2>\(title) <span>\(rows.count)</span></h2>
            \(rows.isEmpty ? "<p>None yet.</p>" : "<table><tr>\(head)</tr>\(body.joined())</table>\(rest)")
            </section>

            """
    }

    private static func place(_ point: ProtoLatLng?) -> String {
        point.map { "\($0.latitude), \($0.longitude)" } ?? ""
    }

    /// The parameter for a provider that is not the page's own.
    private static func project(_ name: String) -> String {
        name.providerID == "demo-fleet" ? "" : "&project=\(escaped(path: name.providerID))"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static func escaped(path text: String) -> String {
        text.utf8.map { byte in
            Character(Unicode.Scalar(byte)).isASCII
                && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                    || "-._~".utf8.contains(byte))
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
