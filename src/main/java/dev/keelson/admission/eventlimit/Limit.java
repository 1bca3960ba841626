package dev.keelson.admission.eventlimit;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;

/**
 * A limit of the configuration.
 *
 * @param type what is limited
 * @param rate Events a second
 * @param burst Events at once
 * @param cacheSize the number of namespaces, users or objects that are remembered
 */
record Limit(Type type, int rate, int burst, int cacheSize) {

  static final int DEFAULT_CACHE_SIZE = 4096;

  /** What has a bucket of its own. */
  enum Type {
    NAMESPACE("Namespace"),
    SERVER("Server"),
    SOURCE_AND_OBJECT("SourceAndObject"),
    USER("User");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    /** The name in configuration files and messages. */
    String text() {
      return text;
    }

    /** The key of the bucket of a request. */
    String key(AdmissionAttributes call) {
      return switch (this) {
        case NAMESPACE -> call.namespace();
        case SERVER -> "";
        case SOURCE_AND_OBJECT -> sourceAndObject(call);
        case USER -> call.user().name();
      };
    }

    private static String sourceAndObject(AdmissionAttributes call) {
      ApiObject event = call.object();
      if (event == null) {
        return "";
      }
      MapNode source = event.root().map("source");
      MapNode about = event.root().map("involvedObject");
      return source.text("component")
          + source.text("host")
          + about.text("kind")
          + about.text("namespace")
          + about.text("name")
          + about.text("uid")
          + about.text("apiVersion");
    }
  }
}
