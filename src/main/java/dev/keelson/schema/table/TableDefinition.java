package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of a kind: its columns, and how an object becomes a row of them. Safe for use by
 * several threads.
 */
public final class TableDefinition {

  /** Fills the cells of a row in the order of the columns. */
  @FunctionalInterface
  interface Printer {
    void print(MapNode object, Row row);
  }

  /**
   * A printed object.
   *
   * @param cells one value a column
   * @param conditions marks on the row, such as that the object has run its course
   */
  public record Printed(List<Node> cells, List<Node> conditions) {}

  private final List<Column> columns;
  private final Printer printer;
  private final @Nullable Comparator<MapNode> order;
  private final List<String> fields;

  /**
   * A table.
   *
   * @param fields what the printer reads, in the notation of {@link #fields}
   */
  TableDefinition(List<Column> columns, List<String> fields, Printer printer) {
    this(columns, printer, null, fields);
  }

  private TableDefinition(
      List<Column> columns,
      Printer printer,
      @Nullable Comparator<MapNode> order,
      List<String> fields) {
    this.columns = List.copyOf(columns);
    this.printer = printer;
    this.order = order;
    this.fields = List.copyOf(fields);
  }

  /** The same table with its rows in an order of their own; for kinds of few objects. */
  TableDefinition sorted(Comparator<MapNode> rows) {
    return new TableDefinition(columns, printer, rows, fields);
  }

  /**
   * The paths of the fields that the cells are made from: names with dots between them, through
   * lists to their elements; {@code #} at the end where only the number of entries counts. An
   * object in which nothing else is set has the same row. Empty if the cells may need all of it.
   */
  public List<String> fields() {
    return fields;
  }

  /** The order of the rows of a list; empty for that of the names. */
  public Optional<Comparator<MapNode>> order() {
    return Optional.ofNullable(order);
  }

  /** The columns, always in this order. */
  public List<Column> columns() {
    return columns;
  }

  /**
   * The row of an object.
   *
   * @param object the tree in the version in which the kind is stored; of a custom resource, in the
   *     version of the request
   * @param now the moment that ages are counted to
   * @throws IllegalStateException if the printer does not fill every column, which is a defect
   */
  public Printed row(MapNode object, Instant now) {
    return row(object, timestamp -> Ages.since(timestamp, now));
  }

  /** The same with other texts for ages. */
  Printed row(MapNode object, AgeText ages) {
    Row row = new Row(ages, columns.size());
    printer.print(object, row);
    if (row.cells().size() != columns.size()) {
      throw new IllegalStateException(
          "a row of " + row.cells().size() + " cells for " + columns.size() + " columns");
    }
    return new Printed(row.cells(), row.conditions());
  }
}
