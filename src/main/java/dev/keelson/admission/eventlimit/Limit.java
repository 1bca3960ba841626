package dev.keelson.admission.eventlimit;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.function.Function;

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
    NAMESPACE("Namespace", AdmissionAttributes::namespace),
    SERVER("Server", call -> ""),
    SOURCE_AND_OBJECT("SourceAndObject", Type::sourceAndObject),
    USER("User", call -> call.user().name());

    private final String text;
    private final Function<AdmissionAttributes, String> key;

    Type(String text, Function<AdmissionAttributes, String> key) {
      this.text = text;
      this.key = key;
    }

    /** The name in configuration files and messages. */
    String text() {
      return text;
    }

    /** The key of the bucket of a request. */
    String key(AdmissionAttributes call) {
      return key.apply(call);
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
