import FleetToken

/// The files of the folder Page, which are part of the program.
enum PageFiles {
    /// The files by name.
    static let all: [String: [UInt8]] = [
        "camera.js": PackageResources.camera_js,
        "engine-clock.js": PackageResources.engine_clock_js,
        "fleet-engine-error.js": PackageResources.fleet_engine_error_js,
        "follower.js": PackageResources.follower_js,
        "gestures.js": PackageResources.gestures_js,
        "icon.svg": PackageResources.icon_svg,
        "icons.js": PackageResources.icons_js,
        "index.html": PackageResources.index_html,
        "journey-model.js": PackageResources.journey_model_js,
        "map-style.js": PackageResources.map_style_js,
        "map-view.js": PackageResources.map_view_js,
        "markers.js": PackageResources.markers_js,
        "page.css": PackageResources.page_css,
        "page.js": PackageResources.page_js,
        "panel.js": PackageResources.panel_js,
        "routes.js": PackageResources.routes_js,
        "state-words.js": PackageResources.state_words_js,
        "token-source.js": PackageResources.token_source_js,
        "trip.js": PackageResources.trip_js,
        "words.js": PackageResources.words_js,
    ]
}
