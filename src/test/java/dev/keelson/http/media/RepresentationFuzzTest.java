package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.table.TableDefinition;
import dev.keelson.schema.table.Tables;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random and broken input gives an answer or an error that has a name, never another exception.
 * {@code -Dkeelson.fuzz.rounds} says how often; {@code -Dkeelson.fuzz.seed} with which numbers.
 */
class RepresentationFuzzTest {

  private static final int ROUNDS = Integer.getInteger("keelson.fuzz.rounds", 5000);
  private static final long SEED = Long.getLong("keelson.fuzz.seed", 20261121);
  private static final Instant NOW = Instant.parse("2025-01-01T01:00:00Z");
  private static final List<String> PIECES =
      List.of(
          "application",
          "/",
          "json",
          "yaml",
          "vnd.kubernetes.protobuf",
          "*",
          ";",
          ",",
          "=",
          "q",
          "0",
          "0.5",
          "as",
          "Table",
          "PartialObjectMetadata",
          "v",
          "v1",
          "g",
          "meta.k8s.io",
          "stream",
          "watch",
          "\"",
          " ",
          "\u00e9",
          "-1",
          "NaN",
          "charset",
          "pretty=1");
  private static final String POD =
      "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p','labels':{'a':'b'},"
          + "'creationTimestamp':'2025-01-01T00:00:00Z'},'spec':{'containers':[{'name':'c',"
          + "'image':'i','ports':[{'containerPort':80}],'resources':{'limits':{'cpu':'1'}}}]},"
          + "'status':{'phase':'Running','containerStatuses':[{'name':'c','restartCount':2,"
          + "'state':{'terminated':{'exitCode':1,'finishedAt':'2025-01-01T00:00:00Z'}}}]}}";

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final StructSchema pods = ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");

  private String accept() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(14); i >= 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  @Test
  void negotiation_ofAnything_offersSomethingOrRefuses() {
    for (int i = 0; i < ROUNDS; i++) {
      String accept = accept();
      try {
        assertThat(
                Negotiation.accepted(NegotiationTest.request(Map.of("accept", List.of(accept))))
                    .mediaType())
            .startsWith("application/");
      } catch (ApiException e) {
        assertThat(e.reason()).as(accept).isEqualTo(Reason.NOT_ACCEPTABLE);
      }
    }
  }

  private byte[] broken(byte[] whole) {
    byte[] bytes = Arrays.copyOf(whole, whole.length - random.nextInt(whole.length / 4));
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  @Test
  void bodies_thatAreBroken_areReadOrRefused() {
    byte[] json = POD.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    MapNode tree = ObjectReader.json(json, pods, FieldValidation.STRICT).root();
    byte[] protobuf = ObjectWriter.protobuf(tree, pods);
    byte[] yaml = ObjectWriter.yaml(tree);
    TableDefinition table = Tables.of(new GroupVersionKind("", "v1", "Pod"));
    int read = 0;
    for (int i = 0; i < ROUNDS; i++) {
      try {
        MapNode root =
            switch (i % 3) {
              case 0 -> ObjectReader.json(broken(json), pods, FieldValidation.IGNORE).root();
              case 1 -> ObjectReader.yaml(broken(yaml), pods, FieldValidation.IGNORE).root();
              default ->
                  ObjectReader.protobuf(broken(protobuf), pods, FieldValidation.IGNORE).root();
            };
        assertThat(table.row(root, NOW).cells()).hasSameSizeAs(table.columns());
        read++;
      } catch (DecodeException refused) {
        assertThat(refused.text()).isNotBlank().isNotEqualTo("null");
      }
    }
    assertThat(read).isPositive().isLessThan(ROUNDS);
  }

  private Node anything(int depth) {
    return switch (random.nextInt(depth > 3 ? 5 : 9)) {
      case 0 -> Node.text(PIECES.get(random.nextInt(PIECES.size())));
      case 1 -> new Node.Int(random.nextLong());
      case 2 -> Node.Bool.TRUE;
      case 3 -> Node.Null.NULL;
      case 4 -> Node.text("2025-01-01T00:00:00Z");
      case 5, 6 -> {
        List<Node> items = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          items.add(anything(depth + 1));
        }
        yield new Node.Items(items);
      }
      default -> object(depth + 1);
    };
  }

  private MapNode object(int depth) {
    MapNode object = MapNode.EMPTY;
    for (String key :
        List.of(
            "metadata",
            "spec",
            "status",
            "containers",
            "ports",
            "conditions",
            "template",
            "containerStatuses",
            "state",
            "terminated",
            "metrics",
            "subsets",
            "type",
            "labels")) {
      if (random.nextInt(3) == 0) {
        object = object.with(key, anything(depth));
      }
    }
    return object;
  }

  @Test
  void tables_ofAnything_haveAllTheirCells() {
    List<GroupVersionKind> kinds =
        List.of(
            new GroupVersionKind("", "v1", "Pod"),
            new GroupVersionKind("", "v1", "Node"),
            new GroupVersionKind("", "v1", "Service"),
            new GroupVersionKind("", "v1", "Endpoints"),
            new GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler"),
            new GroupVersionKind("batch", "v1", "Job"),
            new GroupVersionKind("", "v1", "Event"));
    for (int i = 0; i < ROUNDS / 10; i++) {
      TableDefinition table = Tables.of(kinds.get(i % kinds.size()));

      assertThat(table.row(object(0), NOW).cells()).hasSameSizeAs(table.columns());
    }
  }
}
