package dev.keelson.http.trail;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** An event as a line of CSV. */
final class CsvRow {

  private static final List<String> COLUMNS =
      List.of(
          "event",
          "time",
          "auditID",
          "stage",
          "level",
          "user",
          "impersonatedUser",
          "groups",
          "verb",
          "apiGroup",
          "resource",
          "subresource",
          "namespace",
          "name",
          "uid",
          "code",
          "decision",
          "sourceIPs",
          "userAgent",
          "requestURI",
          "message");

  /** The line with the names of the columns. */
  static final String HEAD = String.join(",", COLUMNS) + "\r\n";

  /** What makes a spreadsheet take a cell for a formula; clients choose user agents and paths. */
  private static final String FORMULA = "=+-@\t\r";

  private CsvRow() {}

  static String of(String id, MapNode event) {
    MapNode object = event.map("objectRef");
    MapNode status = event.map("responseStatus");
    Node code = status.get("code");
    List<String> cells =
        List.of(
            id,
            event.text("stageTimestamp"),
            event.text("auditID"),
            event.text("stage"),
            event.text("level"),
            event.map("user").text("username"),
            event.map("impersonatedUser").text("username"),
            joined(event.map("user").items("groups")),
            event.text("verb"),
            object.text("apiGroup"),
            object.text("resource"),
            object.text("subresource"),
            object.text("namespace"),
            object.text("name"),
            object.text("uid"),
            code instanceof Node.Int number ? Long.toString(number.value()) : "",
            event.map("annotations").text("authorization.k8s.io/decision"),
            joined(event.items("sourceIPs")),
            event.text("userAgent"),
            event.text("requestURI"),
            status.text("message"));
    return String.join(",", cells.stream().map(CsvRow::cell).toList()) + "\r\n";
  }

  private static String joined(List<Node> values) {
    List<String> texts = new ArrayList<>(values.size());
    for (Node value : values) {
      if (value instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return String.join(" ", texts);
  }

  private static String cell(String text) {
    String safe = text.isEmpty() || FORMULA.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
    boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quoted ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }
}
