package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiResponse;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.server.WriteInputs.Fill;
import dev.keelson.server.WriteInputs.Growing;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every step of a write, from the decoder to the response, for lists, maps and strings. */
class LinearWorkTest extends MeasuredRequests {

  private static String path(ResourceDefinition definition) {
    String group = definition.gvr().group();
    return (group.isEmpty() ? "/api/" : "/apis/" + group + "/")
        + definition.gvr().version()
        + (definition.namespaced() ? "/namespaces/default/" : "/")
        + definition.gvr().resource();
  }

  /**
   * The fields of pods are measured in pods and in one of the types that have a template of them.
   */
  private static boolean isInTemplate(Growing field) {
    return Collections.indexOfSubList(field.path(), List.of("template", "spec")) >= 0
        && !field.definition().gvr().resource().equals("deployments");
  }

  @Test
  void everyFieldOfEveryType() {
    List<String> problems = new ArrayList<>();
    for (Growing field : WriteInputs.all()) {
      if (isInTemplate(field)) {
        continue;
      }
      String path = path(field.definition());
      String alike =
          problem(
              "create " + field,
              10_000,
              1_000,
              size -> Sent.create(path, field.object("big", size, Fill.ALIKE)));
      String distinct =
          field.isText()
              ? ""
              : problem(
                  "apply " + field,
                  10_000,
                  1_000,
                  size -> {
                    MapNode object = field.object("big", size, Fill.DISTINCT);
                    String name = object.map("metadata").text("name");
                    return Sent.patch(path + "/" + name, "apply-patch+yaml", object);
                  });
      problems.addAll(List.of(alike, distinct));
    }

    assertThat(problems).containsOnly("");
  }

  @Test
  void allFieldsOfATypeTogether() {
    Map<String, List<Growing>> byType = new LinkedHashMap<>();
    for (Growing field : WriteInputs.all()) {
      byType.computeIfAbsent(path(field.definition()), _ -> new ArrayList<>()).add(field);
    }
    List<String> problems = new ArrayList<>();
    byType.forEach(
        (path, fields) ->
            problems.add(
                problem(
                    "create " + path,
                    1_000,
                    100,
                    size ->
                        Sent.create(
                            path, WriteInputs.everything(fields, "big", size, Fill.DISTINCT)))));

    assertThat(problems).containsOnly("");
  }

  @Test
  void emptyContainers() {
    assertLinear(
        "pod",
        size ->
            Sent.create(PODS, pod(MapNode.of("containers", elements(size, _ -> MapNode.EMPTY)))));
  }

  @Test
  void invalidLabels() {
    assertLinear(
        "labels",
        size -> {
          MapNode.Builder labels = MapNode.builder(size);
          IntStream.range(0, size).forEach(i -> labels.put("-" + i, Node.text("-")));
          MapNode object = map("big", MapNode.EMPTY);
          return Sent.create(
              MAPS, object.with("metadata", object.map("metadata").with("labels", labels.build())));
        });
  }

  /** Strings of one hash, of which there are two to the power of {@code bits}. */
  private static String colliding(int number, int bits) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < bits; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void namesWhoseHashesCollide() {
    assertLinear(
        "container names",
        20_000,
        size ->
            Sent.create(
                PODS,
                pod(
                    MapNode.of(
                        "containers",
                        elements(size, i -> MapNode.of("name", Node.text(colliding(i, 17))))))));
    assertLinear(
        "keys",
        size -> {
          MapNode.Builder data = MapNode.builder(size);
          IntStream.range(0, size).forEach(i -> data.put(colliding(i, 17), Node.text("")));
          return Sent.create(MAPS, map("big", data.build()));
        });
  }

  @Test
  void yamlAndDuplicateKeys() {
    assertLinear(
        "yaml",
        size ->
            new Sent(
                "POST",
                MAPS,
                Map.of("dryRun", "All"),
                "application/yaml",
                ObjectWriter.yaml(map("big", texts(size)))));
    assertLinear(
        "duplicates",
        size -> {
          String data =
              IntStream.range(0, size)
                  .mapToObj(i -> "\"k\":\"" + i + "\"")
                  .collect(Collectors.joining(","));
          String text =
              "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},"
                  + "\"data\":{"
                  + data
                  + "}}";
          return new Sent(
              "POST",
              MAPS,
              Map.of("dryRun", "All", "fieldValidation", "Strict"),
              JSON,
              text.getBytes(StandardCharsets.UTF_8));
        });
  }

  @Test
  void updatesAndPatches() {
    store(MAPS, map("m", MapNode.EMPTY));
    assertLinear(
        "update",
        size ->
            new Sent(
                "PUT",
                MAPS + "/m",
                Map.of("dryRun", "All"),
                JSON,
                TreeJson.write(map("m", texts(size)))));
    for (String kind : List.of("merge-patch+json", "strategic-merge-patch+json")) {
      assertLinear(kind, size -> Sent.patch(MAPS + "/m", kind, MapNode.of("data", texts(size))));
    }
  }

  @Test
  void patchesOfLists() {
    MapNode container =
        MapNode.builder(2).put("name", Node.text("c")).put("image", Node.text("i")).build();
    store(PODS, pod(MapNode.of("containers", new Items(List.of(container)))));
    for (int bits : new int[] {0, 17}) {
      assertLinear(
          "strategic merge",
          20_000,
          size ->
              Sent.patch(
                  PODS + "/big",
                  "strategic-merge-patch+json",
                  MapNode.of(
                      "spec",
                      MapNode.of(
                          "containers",
                          elements(
                              size,
                              i ->
                                  MapNode.of(
                                      "name",
                                      Node.text(bits == 0 ? "n" + i : colliding(i, bits))))))));
    }
    assertLinear(
        "finalizers",
        20_000,
        size ->
            Sent.patch(
                PODS + "/big",
                "strategic-merge-patch+json",
                MapNode.of(
                    "metadata",
                    MapNode.of(
                        "finalizers",
                        new Items(
                            IntStream.range(0, size)
                                .<Node>mapToObj(i -> Node.text("example.com/" + i))
                                .toList())))));
  }

  @Test
  void managersOfFields() {
    assertLinear(
        "managedFields",
        size -> {
          Items entries =
              elements(
                  size / 5,
                  i ->
                      MapNode.builder(8)
                          .put("manager", Node.text("m" + i))
                          .put("operation", Node.text(i % 2 == 0 ? "Update" : "Apply"))
                          .put("apiVersion", Node.text("v1"))
                          .put("time", Node.text("2020-01-01T00:00:00Z"))
                          .put("fieldsType", Node.text("FieldsV1"))
                          .put(
                              "fieldsV1",
                              MapNode.of("f:data", MapNode.of("f:k" + i, MapNode.EMPTY)))
                          .build());
          MapNode object = map("big", texts(10));
          return Sent.create(
              MAPS, object.with("metadata", object.map("metadata").with("managedFields", entries)));
        });
  }

  @Test
  void conflictsOfAnApply() {
    assertLinear(
        "conflicts",
        size -> {
          String name = "m" + size;
          ApiResponse unused =
              send(
                  new Sent(
                      "POST",
                      MAPS,
                      Map.of("fieldManager", "first"),
                      JSON,
                      TreeJson.write(map(name, texts(size / 4)))));
          MapNode.Builder other = MapNode.builder(size / 4);
          IntStream.range(0, size / 4).forEach(i -> other.put("k" + i, Node.text("other")));
          return Sent.patch(MAPS + "/" + name, "apply-patch+yaml", map(name, other.build()));
        });
  }
}
