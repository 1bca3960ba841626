package dev.keelson.bench;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.MetaSchemas;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.read.Listing;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.StoredForm.Medium;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import dev.keelson.testing.LocalApi;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What the bodies of long lists cost in each representation: the processor time of one thread that
 * makes them from stored pods, without the store, HTTP and TLS.
 *
 * <p>{@code -Dkeelson.bench.pods=10000} and {@code -Dkeelson.bench.rounds=20} set how often.
 */
public final class ListFormsBench {

  private static final String META = ";v=v1;g=meta.k8s.io;as=";
  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private ListFormsBench() {}

  /** Prints a line a representation and medium. */
  public static void main(String... arguments) throws Exception {
    try (LocalApi api = LocalApi.open(Files.createTempDirectory("list-forms"))) {
      Collection pods = api.collection("v1", "pods", "default");
      BodyWriter writer =
          new BodyWriter(
              api.registry(),
              api.codec(),
              MetaSchemas.of(ProtoSchemas.fromClassPath()::struct),
              api.clock());
      byte[] served =
          ObjectWriter.json(
              api.create(
                      "v1",
                      "pods",
                      "default",
                      SamplePod.json(7, "a".repeat(120)).replace('"', '\''))
                  .root());
      for (Medium medium : Medium.values()) {
        List<StoredObject> objects = objects(pods.definition(), served, medium);
        measure(writer, pods.definition(), objects, medium, JSON, "");
        measure(writer, pods.definition(), objects, medium, PROTOBUF, "");
        String table = JSON + META + "Table";
        measure(writer, pods.definition(), objects, medium, table, "");
        measure(writer, pods.definition(), objects, medium, table, "includeObject=None");
        String partial = META + "PartialObjectMetadataList";
        measure(writer, pods.definition(), objects, medium, JSON + partial, "");
        measure(writer, pods.definition(), objects, medium, PROTOBUF + partial, "");
        measure(writer, pods.definition(), objects, medium, JSON, "pretty=true");
        measure(writer, pods.definition(), objects, medium, "application/yaml", "");
      }
    }
  }

  private static List<StoredObject> objects(
      ResourceDefinition definition, byte[] served, Medium medium) {
    StoredType type = Objects.requireNonNull(definition.storage());
    byte[] stored =
        StoredForm.encode(
            ObjectReader.json(served, type.schema(), FieldValidation.IGNORE).root(),
            type.schema(),
            medium);
    List<StoredObject> objects = new ArrayList<>();
    for (int i = 0; i < Integer.getInteger("keelson.bench.pods", 10_000); i++) {
      objects.add(new StoredObject(definition, Bytes.wrap(stored.clone()), 4711 + i, null));
    }
    return objects;
  }

  private static void measure(
      BodyWriter writer,
      ResourceDefinition definition,
      List<StoredObject> objects,
      Medium medium,
      String accept,
      String query)
      throws InterruptedException {
    ApiRequest request =
        new ApiRequest(
            "GET",
            "/",
            Query.parse(query),
            Map.of("accept", List.of(accept)),
            new byte[0],
            List.of(),
            "127.0.0.1");
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    int rounds = Integer.getInteger("keelson.bench.rounds", 20);
    long best = Long.MAX_VALUE;
    long bytes = 0;
    for (int i = 0; i < rounds; i++) {
      long begin = threads.getCurrentThreadCpuTime();
      ApiResponse answer =
          writer.list(request, new Listing(definition, objects.iterator(), 99_999, "", null));
      bytes = drained(answer.body());
      best = Math.min(best, threads.getCurrentThreadCpuTime() - begin);
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-8s %-90s %,12d bytes %8.1f ms",
            medium,
            accept + " " + query,
            bytes,
            best / 1e6));
  }

  private static long drained(Body body) throws InterruptedException {
    if (body instanceof Payload payload) {
      return payload.length();
    }
    long[] bytes = new long[1];
    ((Body.Streamed) body).writeTo(part -> bytes[0] += part.length());
    return bytes[0];
  }
}
