package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.BadValue;
import dev.keelson.schema.validation.Value;
import java.nio.charset.StandardCharsets;

/** Configurations of devices, and the JSON objects that drivers define. */
final class ConfigurationRules {

  private static final int MOST_CONFIGURATIONS = 32;
  private static final int LONGEST_JSON = 10 * 1024;

  private ConfigurationRules() {}

  /** Reports a list with too many configurations. */
  static boolean hasValidSize(Value config) {
    if (config.size() > MOST_CONFIGURATIONS) {
      config.tooMany(MOST_CONFIGURATIONS);
      return false;
    }
    return true;
  }

  /**
   * Validates one configuration.
   *
   * @param limited whether the size of its parameters is limited; it is not for stored ones
   */
  static void validate(Value config, boolean limited) {
    Value opaque = config.get("opaque");
    if (opaque.absent()) {
      opaque.required();
      return;
    }
    DeviceNames.driver(opaque.get("driver"));
    json(opaque.get("parameters"), limited);
  }

  /** A JSON object, which is required. */
  static void json(Value data, boolean limited) {
    if (data.absent()) {
      data.required();
    } else if (limited
        && BadValue.of(data.node()).getBytes(StandardCharsets.UTF_8).length > LONGEST_JSON) {
      data.tooLong(LONGEST_JSON);
    } else if (!(data.node() instanceof MapNode)) {
      data.invalid("<value omitted>", "must be a valid JSON object");
    }
  }
}
