package dev.keelson.http.history;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** A list of revisions as kubectl prints tables: columns three spaces apart. */
final class RevisionTable {

  private static final String GAP = "   ";
  private static final String NOTHING = "<none>";

  private RevisionTable() {}

  static String of(MapNode list) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("REVISION", "TIME", "VERB", "MANAGER", "OPERATION", "SUBRESOURCE"));
    for (MapNode item : list.maps("items")) {
      rows.add(
          List.of(
              item.map("metadata").text("resourceVersion"),
              cell(item.text("time")),
              cell(item.text("verb")),
              cell(item.text("manager")),
              cell(item.text("operation")),
              cell(item.text("subresource"))));
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        boolean last = column == row.size() - 1;
        text.append(cell);
        text.append(last ? "\n" : " ".repeat(width(rows, column) - cell.length()) + GAP);
      }
    }
    String more = list.map("metadata").text("continue");
    return more.isEmpty() ? text.toString() : text + "# older revisions: continue=" + more + "\n";
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  /** Clients choose the text: what a terminal would obey is shown as a question mark. */
  private static String cell(String value) {
    return value.isEmpty() ? NOTHING : value.replaceAll("\\p{C}|\\s", "?");
  }
}
