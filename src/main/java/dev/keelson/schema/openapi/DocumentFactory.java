package dev.keelson.schema.openapi;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.merge.SwaggerSpec;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.openapi.operation.MetaTypes;
import dev.keelson.schema.openapi.operation.PathItem;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Writes documents. The part of the built-in types in the document of Swagger 2.0 is kept as long
 * as there is memory to spare; it is the same in every catalog, and made again only when a document
 * of another server changes, which is merged into it. The instance's lock guards it.
 */
final class DocumentFactory {

  /** The types of {@code meta/v1} that every custom resource uses. */
  private static final List<String> COMMON =
      List.of("ObjectMeta", "ListMeta", "Status", "DeleteOptions");

  private final MetaTypes types;
  private final Descriptions descriptions;
  private final JsonText json;
  private final String version;
  private final CustomParts custom;
  private final Map<Format, SoftReference<Base>> bases = new EnumMap<>(Format.class);
  private List<ResourceDefinition> builtIn = List.of();

  /**
   * What the document of Swagger 2.0 describes.
   *
   * @param builtIn the resources that are not custom
   * @param items supplies the paths of these; called if they are not known
   * @param customItems further paths, without those of {@code custom}
   * @param remote what other servers document
   */
  record Swagger(
      List<ResourceDefinition> builtIn,
      Supplier<List<PathItem>> items,
      Kinds kinds,
      List<PathItem> customItems,
      List<ResourceDefinition> custom,
      List<RemoteDocuments.Swagger> remote) {

    private Set<String> customNames() {
      Set<String> names = new HashSet<>();
      custom.forEach(definition -> names.addAll(CustomSchemas.names(definition)));
      return names;
    }
  }

  /**
   * The part of the built-in types and of other servers.
   *
   * @param defined the names of its definitions
   * @param parameters those of the built-in types
   * @param named all parameters by name
   * @param merged the other servers' part
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Base(
      Set<String> defined,
      SharedParameters parameters,
      MapNode named,
      byte[] paths,
      byte[] definitions,
      RemoteSwagger merged) {}

  /**
   * @param descriptions what is said of types and fields
   * @param version of the server, for example {@code v1.2.0}
   */
  DocumentFactory(MetaTypes types, Descriptions descriptions, JsonText json, String version) {
    this.types = types;
    this.descriptions = descriptions;
    this.json = json;
    this.version = version;
    this.custom = new CustomParts(types, descriptions, json);
  }

  JsonText json() {
    return json;
  }

  /** The version of the server. */
  String version() {
    return version;
  }

  /** The document of Swagger 2.0. */
  synchronized List<byte[]> v2(Swagger content, Format format) {
    if (!content.builtIn.equals(builtIn)) {
      if (!builtIn.isEmpty()) {
        bases.clear();
        custom.clear();
      }
      builtIn = List.copyOf(content.builtIn);
    }
    DocumentEncoding encoding = new DocumentEncoding(Dialect.V2, format, json);
    Base base = base(encoding, content);
    SchemaTrees schemas =
        new SchemaTrees(Dialect.V2, descriptions, json, content.kinds, base.defined::contains);
    List<byte[]> paths = new ArrayList<>(List.of(base.paths));
    paths.add(
        encoding.paths(new SwaggerTrees(schemas, base.parameters).paths(content.customItems)));
    addCommonTypes(schemas, content.custom);
    List<byte[]> definitions = new ArrayList<>(List.of(base.definitions));
    definitions.add(encoding.schemas(schemas.definitions()));
    for (ResourceDefinition definition : content.custom) {
      CustomParts.Part part = custom.v2(definition, format, base.parameters);
      paths.add(part.paths());
      definitions.add(part.schemas());
    }
    return encoding.document(SwaggerTrees.frame(base.named, version), paths, definitions);
  }

  private Base base(DocumentEncoding encoding, Swagger content) {
    Set<String> taken = content.remote.isEmpty() ? Set.of() : content.customNames();
    SoftReference<Base> reference = bases.get(encoding.format());
    Base base = reference == null ? null : reference.get();
    if (base == null || !base.merged.holds(content.remote, taken)) {
      SchemaTrees schemas = new SchemaTrees(Dialect.V2, descriptions, json, content.kinds);
      SharedParameters parameters = new SharedParameters();
      MapNode paths = new SwaggerTrees(schemas, parameters).paths(content.items.get());
      parameters.freeze();
      RemoteSwagger merged = RemoteSwagger.of(content.remote, taken, encoding);
      SwaggerSpec all =
          merged.mergedInto(
              new SwaggerSpec(paths, schemas.definitions(), parameters.definitions()));
      base =
          new Base(
              Set.copyOf(all.definitions().keys()),
              parameters,
              all.parameters(),
              encoding.paths(all.paths()),
              encoding.schemas(all.definitions()),
              merged.withoutTrees());
      bases.put(encoding.format(), new SoftReference<>(base));
    }
    return base;
  }

  /**
   * A document of OpenAPI 3.0.
   *
   * @param items its paths, without those of {@code customTypes}
   */
  List<byte[]> v3(
      List<PathItem> items, Kinds kinds, List<ResourceDefinition> customTypes, Format format) {
    DocumentEncoding encoding = new DocumentEncoding(Dialect.V3, format, json);
    SchemaTrees schemas = new SchemaTrees(Dialect.V3, descriptions, json, kinds);
    List<byte[]> paths = new ArrayList<>();
    paths.add(encoding.paths(new OpenApi3Trees(schemas).paths(items)));
    addCommonTypes(schemas, customTypes);
    List<byte[]> definitions = new ArrayList<>();
    definitions.add(encoding.schemas(schemas.definitions()));
    for (ResourceDefinition definition : customTypes) {
      CustomParts.Part part = custom.v3(definition, format);
      paths.add(part.paths());
      definitions.add(part.schemas());
    }
    return encoding.document(OpenApi3Trees.frame(version), paths, definitions);
  }

  /** Refers to the types that the parts of custom resources refer to. */
  private void addCommonTypes(SchemaTrees schemas, List<ResourceDefinition> customTypes) {
    List<StructSchema> used = new ArrayList<>();
    if (!customTypes.isEmpty()) {
      COMMON.forEach(name -> used.add(types.meta(name)));
      used.add(types.patch());
    }
    for (ResourceDefinition definition : customTypes) {
      definition.subresources().values().stream()
          .filter(sub -> sub.schema() != definition.schema())
          .forEach(sub -> used.add(sub.schema()));
    }
    for (StructSchema type : used) {
      MapNode unused = schemas.schema(type);
    }
  }
}
