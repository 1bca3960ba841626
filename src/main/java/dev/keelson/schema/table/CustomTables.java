package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.jsonpath.JsonPath;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The tables of custom resources: the name, and the {@code additionalPrinterColumns} of a version
 * (source: apiextensions-apiserver's tableconvertor). Rows are made of objects in that version.
 */
public final class CustomTables {

  private static final Column NAME = Columns.named().columns().getFirst();

  /** What is shown of a version that declares no columns. */
  private static final MapNode AGE =
      MapNode.builder(4)
          .put("name", Node.text("Age"))
          .put("type", Node.text("date"))
          .put("description", Node.text("Time at which the object was created."))
          .put("jsonPath", Node.text(".metadata.creationTimestamp"))
          .build();

  private CustomTables() {}

  /** A declared column and where its value is. */
  private record Cell(Column column, JsonPath path) {}

  /**
   * The table of a version; made on the first call.
   *
   * @param json writes a value as compact JSON in UTF-8
   */
  public static TableDefinition of(CustomResourceVersion version, Function<Node, byte[]> json) {
    return version.derived(
        TableDefinition.class,
        () -> make(version.declaration().maps("additionalPrinterColumns"), json));
  }

  private static TableDefinition make(List<MapNode> declared, Function<Node, byte[]> json) {
    List<Cell> cells = cells(declared.isEmpty() ? List.of(AGE) : declared);
    List<Column> columns = new ArrayList<>(List.of(NAME));
    cells.forEach(cell -> columns.add(cell.column));
    CustomCells values = new CustomCells(json);
    return new TableDefinition(
        columns,
        TableFields.of(cells.stream().map(Cell::path).toList()),
        (object, row) -> {
          row.name(object);
          for (Cell cell : cells) {
            List<Node> found = cell.path.find(object);
            row.value(
                found.isEmpty()
                    ? Node.Null.NULL
                    : values.cell(cell.column.type(), found.getFirst(), row));
          }
        });
  }

  /** The columns up to the first one whose path cannot be read. */
  private static List<Cell> cells(List<MapNode> declared) {
    List<Cell> cells = new ArrayList<>(declared.size());
    try {
      for (MapNode column : declared) {
        cells.add(new Cell(column(column), JsonPath.of(column.text("jsonPath"))));
      }
    } catch (ValueFormatException unreadable) {
      return cells;
    }
    return cells;
  }

  private static Column column(MapNode declared) {
    String description = declared.text("description");
    return new Column(
        declared.text("name"),
        declared.text("type"),
        declared.text("format"),
        description.isEmpty()
            ? "Custom resource definition column (in JSONPath format): " + declared.text("jsonPath")
            : description,
        declared.get("priority") instanceof Node.Int priority ? (int) priority.value() : 0);
  }
}
