/// The page without an ID: what there is to follow, whose words start.js fills in by their names.
enum StartPage {
    /// How many rows of a list are shown.
    private static let maximumRows = 200

    /// A resource's name, and its cells as HTML.
    private typealias Row = (name: String, cells: [String])

    /// Returns the page.
    static func html(_ fleet: Fleet) -> String {
        let trips = fleet.trips.values.map(\.trip).map { trip in
            let cells = [trip.text("tripStatus"), trip.text("vehicleId")]
            return row(trip.name, cells, link: "/?trip=\(escaped(path: trip.id))")
        }
        let vehicles = fleet.vehicles.values.map(\.vehicle).map { vehicle in
            row(vehicle.name, [vehicle.text("vehicleState"), place(vehicle)])
        }
        let vans = fleet.deliveryVehicles.values.map { row($0.name, ["\($0.segments.count)", place($0)]) }
        let tasks = fleet.tasks.values.map { task in
            let tracking = task.text("trackingId")
            let link = tracking.isEmpty ? nil : "/?tracking=\(escaped(path: tracking))"
            return row(task.name, [task.text("state"), task.text("deliveryVehicleId"), tracking], link: link)
        }
        return page(
            table("trips", columns: ["tripOption", "provider", "state", "vehicle"], trips)
                + table("vehicles", columns: ["vehicle", "provider", "state", "location"], vehicles)
                + table("deliveryVehicles", columns: ["vehicle", "provider", "stops", "location"], vans)
                + table("tasks", columns: ["task", "provider", "state", "vehicle", "trackingID"], tasks)
        )
    }

    /// Returns a row that begins with the resource's ID, which is a link where there is something to follow, and its provider.
    private static func row(_ name: String, _ cells: [String], link: String? = nil) -> Row {
        let project = name.providerID == "demo-fleet" ? "" : "&project=\(escaped(path: name.providerID))"
        let id = escaped(name.resourceID)
        let first = link.map { "<a href=\"\(escaped($0 + project))\">\(id)</a>" } ?? id
        return (name, [first] + ([name.providerID] + cells).map { escaped($0) })
    }

    private static func page(_ lists: String) -> String {
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
        <script type="module" src="/page/start.js"></script>
        </head>
        <body>
        <div class="start" role="main">
        <h1>Fleet Engine emulator</h1>
        <p data-word="emulatorHelp"></p>
        <form method="get" action="/">
        <label><span data-word="tripOption"></span>
        <input name="trip" required maxlength="64" placeholder="trip-1" autocomplete="off"></label>
        <button class="primary" data-word="follow"></button>
        </form>
        <form method="get" action="/">
        <label><span data-word="trackingID"></span>
        <input name="tracking" required maxlength="64" placeholder="parcel-1" autocomplete="off"></label>
        <button class="primary" data-word="follow"></button>
        </form>
        \(lists)
        </div>
        </body>
        </html>

        """
    }

    private static func table(_ title: String, columns: [String], _ rows: [Row]) -> String {
        let head = columns.map { "<th scope=\"col\" data-word=\"\($0)\"></th>" }.joined()
        let body = rows.sorted { $0.name < $1.name }.prefix(maximumRows).map { row in
            "<tr>\(row.cells.map { "<td>\($0)</td>" }.joined())</tr>"
        }
        let rest = rows.count > maximumRows ? "<p>+ \(rows.count - maximumRows)</p>" : ""
        return """
            <section class="card">
            <h2><span data-word="\(title)"></span> <small>\(rows.count)</small></h2>
            \(rows.isEmpty ? "<p data-word=\"noneYet\"></p>" : "<table><tr>\(head)</tr>\(body.joined())</table>\(rest)")
            </section>

            """
    }

    private static func place(_ vehicle: Message) -> String {
        vehicle.message("lastLocation")?.point("location").map { "\($0.latitude), \($0.longitude)" } ?? ""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static func escaped(path text: String) -> String {
        text.utf8.map { byte in
            let isUnreserved =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-._~".utf8.contains(byte)
            guard !isUnreserved else { return String(Unicode.Scalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
