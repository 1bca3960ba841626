package dev.keelson.http.media;

import dev.keelson.api.GroupVersion;
import dev.keelson.http.media.View.IncludeObject;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.Listing;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.table.Column;
import dev.keelson.schema.table.CustomTables;
import dev.keelson.schema.table.TableDefinition;
import dev.keelson.schema.table.Tables;
import dev.keelson.work.Turn;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Creates the trees of Table rows and of PartialObjectMetadata. Safe for use by several threads.
 */
final class ObjectViews {

  static final String PARTIAL_KIND = "PartialObjectMetadata";

  private final GenericRegistry registry;
  private final MetaSchemas schemas;
  private final InstantSource clock;

  ObjectViews(GenericRegistry registry, MetaSchemas schemas, InstantSource clock) {
    this.registry = registry;
    this.schemas = schemas;
    this.clock = clock;
  }

  /** The table of a resource. */
  static TableDefinition table(ResourceDefinition definition) {
    CustomResourceVersion custom = definition.custom();
    return custom == null
        ? Tables.of(definition.storage() == null ? definition.gvk() : definition.storage().kind())
        : CustomTables.of(custom, ObjectWriter::json);
  }

  /** The objects of a list in the order of the Table's rows. */
  Iterator<StoredObject> rowOrder(Listing listing) {
    Optional<Comparator<MapNode>> order = table(listing.definition()).order();
    if (order.isEmpty()) {
      return listing.items();
    }
    List<Ordered> rows = new ArrayList<>();
    listing
        .items()
        .forEachRemaining(object -> rows.add(new Ordered(object, printed(object).root())));
    rows.sort(
        Comparator.comparing(
            row -> {
              Turn.pass();
              return row.printed;
            },
            order.get()));
    return rows.stream().map(Ordered::object).iterator();
  }

  /** An object with what it is ordered by, which is read once. */
  private record Ordered(StoredObject object, MapNode printed) {}

  /** A PartialObjectMetadata. */
  MapNode metadata(StoredObject object, String apiVersion) {
    return partial(registry.stored(object).meta().node(), apiVersion);
  }

  /** A PartialObjectMetadata with the given metadata. */
  MapNode partial(MapNode metadata, String apiVersion) {
    return Canonical.form(
        MapNode.builder(3)
            .put("kind", Node.text(PARTIAL_KIND))
            .put("apiVersion", Node.text(apiVersion))
            .put("metadata", metadata)
            .build(),
        schemas.partial());
  }

  /** A row of the table of the object's resource. */
  MapNode row(StoredObject object, String apiVersion, IncludeObject include) {
    ApiObject printed = printed(object);
    Node shown =
        switch (include) {
          case NONE -> Node.Null.NULL;
          case METADATA -> partial(printed.meta().node(), apiVersion);
          case OBJECT -> registry.served(object).root();
        };
    return row(table(object.definition()), printed.root(), shown);
  }

  /** An object in the version that its table shows. */
  private ApiObject printed(StoredObject object) {
    return object.definition().custom() == null ? registry.stored(object) : registry.served(object);
  }

  /**
   * A row.
   *
   * @param printed the object in the version that the table shows
   * @param shown its object; JSON null for none
   */
  MapNode row(TableDefinition table, MapNode printed, Node shown) {
    return cells(table.row(printed, clock.instant())).with("object", shown);
  }

  /** A row without its object. */
  static MapNode cells(TableDefinition.Printed printed) {
    Node cells = new Node.Items(printed.cells());
    return printed.conditions().isEmpty()
        ? MapNode.of("cells", cells)
        : MapNode.builder(2)
            .put("cells", cells)
            .put("conditions", new Node.Items(printed.conditions()))
            .build();
  }

  /**
   * A Table without its rows.
   *
   * @param metadata as that of a list
   */
  static MapNode head(String apiVersion, MapNode metadata, Node columns) {
    return MapNode.builder(4)
        .put("kind", Node.text("Table"))
        .put("apiVersion", Node.text(apiVersion))
        .put("metadata", metadata)
        .put("columnDefinitions", columns)
        .build();
  }

  /** The columns as a Table defines them. */
  static Node.Items columns(TableDefinition table) {
    List<Node> columns = new ArrayList<>();
    for (Column column : table.columns()) {
      columns.add(
          MapNode.builder(5)
              .put("name", Node.text(column.name()))
              .put("type", Node.text(column.type()))
              .put("format", Node.text(column.format()))
              .put("description", Node.text(column.description()))
              .put("priority", new Node.Int(column.priority()))
              .build());
    }
    return new Node.Items(columns);
  }

  /** A Table of one object that is not stored, in the version in which it is served. */
  MapNode tableOf(MapNode object, String apiVersion, IncludeObject include) {
    GroupVersion version = GroupVersion.parse(object.text("apiVersion"));
    TableDefinition table = Tables.of(version.kind(object.text("kind")));
    Node shown =
        switch (include) {
          case NONE -> Node.Null.NULL;
          case METADATA -> partial(object.map("metadata"), apiVersion);
          case OBJECT -> object;
        };
    return head(apiVersion, revision(object.map("metadata")), columns(table))
        .with("rows", new Node.Items(List.of(row(table, object, shown))));
  }

  private static MapNode revision(MapNode metadata) {
    String revision = metadata.text("resourceVersion");
    return revision.isEmpty() ? MapNode.EMPTY : MapNode.of("resourceVersion", Node.text(revision));
  }

  /** A Table of one row. */
  MapNode tableOf(StoredObject object, String apiVersion, IncludeObject include) {
    return headOf(object, apiVersion, true)
        .with("rows", new Node.Items(List.of(row(object, apiVersion, include))));
  }

  /** The Table of an object without its row. */
  static MapNode headOf(StoredObject object, String apiVersion, boolean columns) {
    String revision = object.revision() == 0 ? "" : Long.toString(object.revision());
    MapNode metadata =
        revision.isEmpty() ? MapNode.EMPTY : MapNode.of("resourceVersion", Node.text(revision));
    return head(
        apiVersion, metadata, columns ? columns(table(object.definition())) : Node.Null.NULL);
  }
}
