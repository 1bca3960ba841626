package dev.keelson.bench;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.openapi.JsonText;
import dev.keelson.schema.openapi.OpenApiDocument;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.OpenApiDocuments;
import dev.keelson.schema.openapi.RemoteDocuments;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.proto.SchemaDocs;
import dev.keelson.storage.Bytes;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What documents of many custom resources cost: the time and the memory of OpenAPI documents of
 * definitions of 13 KB, in one group, first and after one more, without HTTP.
 *
 * <p>{@code -Dkeelson.bench.definitions=1000} sets how many there are.
 */
public final class CustomDocumentsBench {

  private static final String GROUP = "load.example.com";
  private static final int PROPERTIES = 150;

  private final ProtoSchemas schemas = ProtoSchemas.fromClassPath();
  private final ObjectCodec codec;
  private final StoredType type;
  private final ResourceCatalog catalog;
  private final List<ResourceDefinition> all;

  private CustomDocumentsBench(LocalApi api) {
    codec = api.codec();
    type = api.storedType("apiextensions.k8s.io/v1", "customresourcedefinitions");
    catalog = api.catalog();
    all = new ArrayList<>(catalog.snapshot().all());
  }

  /** Prints a line a document. */
  public static void main(String... arguments) throws IOException {
    try (LocalApi api = LocalApi.open(Files.createTempDirectory("custom-documents"))) {
      new CustomDocumentsBench(api).run(Integer.getInteger("keelson.bench.definitions", 1_000));
    }
  }

  private void run(int count) {
    SchemaDocs docs = SchemaDocs.fromClassPath();
    OpenApiDocuments documents =
        new OpenApiDocuments(
            catalog,
            schemas::struct,
            new Descriptions(docs::describe, docs::describe),
            new JsonText(ObjectWriter::json, ObjectReader::untypedJson),
            "v1.2.3",
            RemoteDocuments.NONE);
    long before = heap();
    for (int i = 0; i < count; i++) {
      add(i);
    }
    catalog.replaceAll(all);
    line("definitions at rest", 0, 0, heap() - before);
    documents(documents, "first");
    add(count);
    measure(
        "one more: catalog",
        () -> {
          catalog.replaceAll(all);
          return List.of();
        });
    documents(documents, "one more");
    line("after the documents", 0, 0, heap() - before);
  }

  private void documents(OpenApiDocuments documents, String when) {
    String group = "apis/" + GROUP + "/v1";
    measure(when + ": v3 index", () -> documents.v3Index().parts());
    for (Format format : Format.values()) {
      measure(when + ": v2 " + format, () -> documents.v2(format).parts());
      measure(when + ": v3 " + format, () -> documents.v3(group, format).orElseThrow().parts());
    }
  }

  private void add(int number) {
    StringBuilder properties = new StringBuilder();
    for (int i = 0; i < PROPERTIES; i++) {
      properties
          .append(i == 0 ? "" : ",")
          .append("'field%03d':{'type':'string','description':'The field %d.'".formatted(i, i))
          .append(",'maxLength':%d}".formatted(64 + i));
    }
    MapNode definition =
        CustomTypes.tree(
            CustomTypes.definition(
                GROUP,
                "things" + number,
                "Thing" + number,
                "Namespaced",
                "'subresources':{'status':{}},'schema':{'openAPIV3Schema':{'type':'object',"
                    + "'properties':{'spec':{'type':'object','properties':{"
                    + properties
                    + "}},'status':{'type':'object'}}}}"));
    MapNode whole =
        definition.with("status", MapNode.of("acceptedNames", definition.map("spec").map("names")));
    Bytes stored = codec.encode(type, new ApiObject(whole));
    CustomResource resource =
        new CustomResource(
            definition.map("metadata").text("name"),
            definition.map("metadata").text("uid"),
            1,
            () -> codec.decode(type, stored).root());
    all.addAll(new CustomResourceRows(schemas::struct).of(resource, whole));
  }

  private static void measure(String what, Supplier<List<byte[]>> work) {
    long begin = System.nanoTime();
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    List<byte[]> parts = work.get();
    long spent = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
    long elapsed = System.nanoTime() - begin;
    line(what, elapsed, spent, new OpenApiDocument(parts, "").body().length);
  }

  private static void line(String what, long elapsedNanos, long cpuNanos, long bytes) {
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-24s %8.1f ms %8.1f ms cpu %,14d bytes",
            what,
            elapsedNanos / 1e6,
            cpuNanos / 1e6,
            bytes));
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
