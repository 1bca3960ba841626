package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes a document of Swagger 2.0. Parameters of the query stand once, under {@code
 * #/parameters/}: they would be half of the document else.
 */
final class SwaggerTrees {

  private static final Items SCHEMES = Node.texts(List.of("https"));

  private final SchemaTrees schemas;
  private final Map<Parameter, MapNode> references = new HashMap<>();
  private final Map<String, Node> shared = new TreeMap<>();

  SwaggerTrees(SchemaTrees schemas) {
    this.schemas = schemas;
  }

  MapNode document(List<PathItem> items, String version) {
    Map<String, Node> paths = new TreeMap<>();
    items.forEach(item -> paths.put(item.path(), path(item)));
    MapNode definitions = schemas.definitions();
    return MapNode.builder(7)
        .put("swagger", Node.text("2.0"))
        .put("info", DocumentInfo.of(version))
        .put("paths", MapNode.copyOf(paths))
        .put("definitions", definitions)
        .put("parameters", MapNode.copyOf(shared))
        .put("securityDefinitions", DocumentInfo.security())
        .put("security", new Items(List.of(MapNode.of(DocumentInfo.BEARER_TOKEN, Items.EMPTY))))
        .build();
  }

  private MapNode path(PathItem item) {
    MapNode.Builder path = MapNode.builder(8);
    for (Operation operation : item.operations()) {
      path.put(operation.method(), operation(item, operation));
    }
    List<Node> common = parameters(item.commonParameters(), null);
    if (!common.isEmpty()) {
      path.put("parameters", new Items(common));
    }
    return path.build();
  }

  private MapNode operation(PathItem item, Operation operation) {
    OperationId id = OperationId.of(item.path(), operation.name());
    Operation.Body body = operation.body();
    MapNode.Builder tree =
        MapNode.builder(11)
            .put("description", Node.text(operation.description()))
            .put("consumes", Node.texts(body == null ? MediaTypes.ANY : body.mediaTypes()))
            .put("produces", Node.texts(operation.produces()))
            .put("schemes", SCHEMES)
            .put("tags", Node.texts(List.of(id.tag())))
            .put("operationId", Node.text(id.id()));
    List<Node> own = parameters(item.ownParameters(operation), body);
    if (!own.isEmpty()) {
      tree.put("parameters", new Items(own));
    }
    MapNode.Builder responses = MapNode.builder(4);
    operation
        .responses()
        .forEach(
            (code, schema) ->
                responses.put(
                    Integer.toString(code),
                    MapNode.builder(2)
                        .put("description", Node.text(DocumentInfo.meaning(code)))
                        .put("schema", schemas.schema(schema))
                        .build()));
    responses.put("401", DocumentInfo.unauthorized());
    tree.put("responses", responses.build());
    DocumentInfo.putExtensions(tree, operation);
    return tree.build();
  }

  private List<Node> parameters(List<Parameter> parameters, Operation.@Nullable Body body) {
    List<Node> all = new ArrayList<>();
    if (body != null) {
      MapNode.Builder tree =
          MapNode.builder(4).put("name", Node.text("body")).put("in", Node.text("body"));
      if (body.required()) {
        tree.put("required", Bool.TRUE);
      }
      all.add(tree.put("schema", schemas.schema(body.schema())).build());
    }
    for (Parameter parameter : parameters) {
      boolean once = parameter.inPath() && !parameter.name().equals("namespace");
      all.add(once ? parameter(parameter) : reference(parameter));
    }
    return all;
  }

  private MapNode reference(Parameter parameter) {
    return references.computeIfAbsent(
        parameter,
        key -> {
          String name = key.name();
          for (int i = 2; shared.containsKey(name); i++) {
            name = key.name() + "-" + i;
          }
          shared.put(name, parameter(key));
          return MapNode.of("$ref", Node.text("#/parameters/" + name));
        });
  }

  private static MapNode parameter(Parameter parameter) {
    MapNode.Builder tree = MapNode.builder(6);
    DocumentInfo.putParameter(tree, parameter);
    return tree.put("type", Node.text(parameter.type())).put("uniqueItems", Bool.TRUE).build();
  }
}
