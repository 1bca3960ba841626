package dev.keelson.registry;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.conversion.ObjectJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads and writes JSON inside objects with the codec; finds types in the catalog. */
public final class CatalogJson implements ObjectJson {

  private final ResourceCatalog catalog;

  public CatalogJson(ResourceCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public String write(Node value) {
    return new String(ObjectWriter.json(value), StandardCharsets.UTF_8);
  }

  @Override
  public Optional<Node> read(String json) {
    try {
      return Optional.of(ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8)));
    } catch (DecodeException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<MapNode> typed(MapNode tree, GroupVersionKind kind) {
    StructSchema schema =
        catalog
            .snapshot()
            .find(kind)
            .orElseThrow(() -> new IllegalArgumentException("no resource has kind " + kind))
            .schema();
    try {
      return Optional.of(ObjectReader.tree(tree, schema, FieldValidation.IGNORE).root());
    } catch (DecodeException e) {
      return Optional.empty();
    }
  }
}
