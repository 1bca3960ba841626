package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The names of the requests of a claim, and references to them.
 *
 * @param subrequests by the name of the request, the names of its subrequests
 */
record RequestNames(Map<String, Set<String>> subrequests) {

  private static final int MOST_REFERENCES = 32;
  private static final String UNKNOWN =
      "must be the name of a request in the claim or the name of a request and a subrequest"
          + " separated by '/'";

  /** The names of the requests of the device claim {@code devices}. */
  static RequestNames of(Value devices) {
    Map<String, Set<String>> names = new HashMap<>();
    for (Value request : devices.get("requests")) {
      Set<String> alternatives = new HashSet<>();
      for (Value alternative : request.get("firstAvailable")) {
        alternatives.add(alternative.get("name").text());
      }
      names.put(request.get("name").text(), alternatives);
    }
    return new RequestNames(names);
  }

  /** A list of references, each once. */
  void references(Value requests) {
    if (requests.size() > MOST_REFERENCES) {
      requests.tooMany(MOST_REFERENCES);
      return;
    }
    for (Value request : requests) {
      reference(request);
    }
    requests.unique();
  }

  /** A request, or a request and its subrequest. */
  void reference(Value request) {
    String text = request.text();
    String[] parts = text.split("/", -1);
    if (parts.length > 2) {
      request.orEmpty().invalid(UNKNOWN);
      return;
    }
    for (String part : parts) {
      DeviceNames.label(request.holding(Node.text(part)));
    }
    Set<String> alternatives = subrequests.get(parts[0]);
    if (alternatives == null || (parts.length == 2 && !alternatives.contains(parts[1]))) {
      request.orEmpty().invalid(UNKNOWN);
    }
  }
}
