package dev.keelson.schema.table;

import java.util.ArrayList;
import java.util.List;

/** Collects the columns of one table, from left to right. */
final class Columns {

  private static final String STRING = "string";
  private static final String INTEGER = "integer";
  private static final int WIDE = 1;

  private final List<Column> columns = new ArrayList<>();
  private final List<String> fields =
      new ArrayList<>(
          List.of("metadata.name", "metadata.creationTimestamp", "metadata.deletionTimestamp"));

  /** A table that begins with the object's name, as almost all do. */
  static Columns named() {
    return new Columns().name(0);
  }

  Columns name(int priority) {
    columns.add(
        new Column("Name", STRING, "name", "Name that is unique within its namespace.", priority));
    return this;
  }

  Columns text(String name, String description) {
    return add(name, STRING, description, 0);
  }

  /** A number that the column calls a string, as Kubernetes' column does. */
  Columns count(String name, String description) {
    return text(name, description);
  }

  Columns number(String name, String description) {
    return add(name, INTEGER, description, 0);
  }

  Columns bool(String name, String description) {
    return add(name, "boolean", description, 0);
  }

  Columns wide(String name, String description) {
    return add(name, STRING, description, WIDE);
  }

  Columns age() {
    return text("Age", "Time since the object was created.");
  }

  /** Of what runs containers. */
  Columns wideContainers() {
    return wide("Containers", "Names of the containers of a pod.")
        .wide("Images", "Images of these containers.");
  }

  /** Of what chooses pods. */
  Columns wideSelector() {
    return wide("Selector", "Labels by which pods are chosen.");
  }

  Columns add(String name, String type, String description, int priority) {
    columns.add(new Column(name, type, "", description, priority));
    return this;
  }

  /** A column whose values name objects. */
  Columns names(String name, String description) {
    columns.add(new Column(name, STRING, "name", description, 0));
    return this;
  }

  /**
   * Names the fields that the printer reads beside the name and the times of the metadata, so that
   * rows can be made without decoding the rest. The notation is that of {@link
   * TableDefinition#fields}.
   */
  Columns reading(String... paths) {
    fields.addAll(List.of(paths));
    return this;
  }

  /** The columns so far. */
  List<Column> columns() {
    return columns;
  }

  TableDefinition of(TableDefinition.Printer printer) {
    return new TableDefinition(columns, fields, printer);
  }
}
