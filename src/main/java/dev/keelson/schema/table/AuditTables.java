package dev.keelson.schema.table;

import dev.keelson.object.Node.MapNode;
import java.util.List;

/** The table of the events of the audit trail. */
final class AuditTables {

  private static final int WIDE = 1;

  private AuditTables() {}

  static void addTo(TableRows tables) {
    tables.put("audit.keelson.dev", "AuditEvent", event());
  }

  private static TableDefinition event() {
    return new Columns()
        .add("Time", "date", "When the request reached the stage.", 0)
        .text("User", "Who sent the request.")
        .text("Verb", "What the request did.")
        .text("Resource", "What kind of object it was about.")
        .text("Object", "Name of the object, or the path of the request.")
        .text("Code", "HTTP status code of the response.")
        .text("Source", "Address of the client.")
        .wide("As", "User that the request acted as.")
        .wide("Stage", "Stage of the request.")
        .wide("Agent", "User agent of the client.")
        .wide("Message", "Message of the response.")
        .name(WIDE)
        .reading(
            "stageTimestamp",
            "user.username",
            "impersonatedUser.username",
            "verb",
            "requestURI",
            "objectRef",
            "responseStatus.code",
            "responseStatus.message",
            "sourceIPs",
            "stage",
            "userAgent")
        .of(
            (object, row) -> {
              MapNode reference = object.map("objectRef");
              MapNode status = object.map("responseStatus");
              List<String> sources = Text.texts(object.items("sourceIPs"));
              row.text(seconds(object.text("stageTimestamp")))
                  .textOrNone(object.map("user").text("username"))
                  .text(object.text("verb"))
                  .textOrNone(resource(reference))
                  .textOrNone(subject(object, reference))
                  .text(Text.value(status.get("code"), ""))
                  .textOrNone(sources.isEmpty() ? "" : sources.getFirst())
                  .textOrNone(object.map("impersonatedUser").text("username"))
                  .text(object.text("stage"))
                  .textOrNone(object.text("userAgent"))
                  .textOrNone(status.text("message"))
                  .name(object);
            });
  }

  /** A time without its fraction. */
  private static String seconds(String time) {
    int point = time.indexOf('.');
    return point < 0 ? time : time.substring(0, point) + "Z";
  }

  /** The resource as kubectl names it, with its subresource. */
  private static String resource(MapNode reference) {
    String group = reference.text("apiGroup");
    String part = reference.text("subresource");
    return reference.text("resource")
        + (group.isEmpty() ? "" : "." + group)
        + (part.isEmpty() ? "" : "/" + part);
  }

  /** Collections have no name; other paths have no object. */
  private static String subject(MapNode object, MapNode reference) {
    return reference.isEmpty() ? object.text("requestURI") : reference.text("name");
  }
}
