package dev.keelson.http.console;

import dev.keelson.http.ApiRequest;
import java.util.HashMap;
import java.util.Map;

/** Reads the cookies of a request (RFC 6265, section 4.2). */
final class Cookies {

  private Cookies() {}

  /** The values by name; of several with one name the last. */
  static Map<String, String> of(ApiRequest request) {
    Map<String, String> cookies = new HashMap<>();
    for (String line : request.headerValues("Cookie")) {
      for (String pair : line.split(";", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          cookies.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
        }
      }
    }
    return cookies;
  }
}
