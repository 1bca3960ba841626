package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A store that kube-apiserver filled with protobuf is taken over, worked on, and handed back: the
 * golden objects lie under kube-apiserver's keys before the server starts.
 */
@Timeout(120)
abstract class TakeoverSuite {

  private static final String NAMESPACE = "namespaceValue";
  private static final String NAME = "nameValue";
  private static final String PROTOBUF = "--storage-media-type=application/vnd.kubernetes.protobuf";
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  /** Which golden object lies under which key. */
  private static final Map<String, String> PLACES =
      Map.of(
          "core.v1.Pod", "/registry/pods/namespaceValue/nameValue",
          "core.v1.Service", "/registry/services/specs/namespaceValue/nameValue",
          "core.v1.Secret", "/registry/secrets/namespaceValue/nameValue",
          "core.v1.ConfigMap", "/registry/configmaps/namespaceValue/nameValue",
          "core.v1.Event", "/registry/events/namespaceValue/nameValue",
          "apps.v1.Deployment", "/registry/deployments/namespaceValue/nameValue",
          "apps.v1.DaemonSet", "/registry/daemonsets/namespaceValue/nameValue",
          "batch.v1.Job", "/registry/jobs/namespaceValue/nameValue",
          "extensions.v1beta1.Ingress", "/registry/ingress/namespaceValue/nameValue");

  private final Path home;
  private final List<String> flags;

  TakeoverSuite(Path home, List<String> flags) {
    this.home = home;
    this.flags = Stream.concat(flags.stream(), Stream.of(KeelsonProcess.FEW_CONTROLLERS)).toList();
  }

  /** The store of a server that does not run. */
  abstract RevisionedStore store();

  @BeforeEach
  void fill() {
    try (RevisionedStore store = store()) {
      PLACES.forEach((name, key) -> put(store, key, golden(name + ".pb")));
      put(store, "/registry/configmaps/namespaceValue/plain", configMap("plain", "one"));
      put(store, "/registry/configmaps/namespaceValue/other", configMap("other", "two"));
      put(store, "/registry/namespaces/namespaceValue", namespace());
    }
  }

  /** Where the API has the golden objects, in the version that they are stored in. */
  private static final Map<String, String> COLLECTIONS =
      Map.of(
          "core.v1.Pod", "/api/v1/%s/pods",
          "core.v1.Service", "/api/v1/%s/services",
          "core.v1.Secret", "/api/v1/%s/secrets",
          "core.v1.ConfigMap", "/api/v1/%s/configmaps",
          "core.v1.Event", "/api/v1/%s/events",
          "apps.v1.Deployment", "/apis/apps/v1/%s/deployments",
          "apps.v1.DaemonSet", "/apis/apps/v1/%s/daemonsets",
          "batch.v1.Job", "/apis/batch/v1/%s/jobs",
          "extensions.v1beta1.Ingress", "/apis/extensions/v1beta1/%s/ingresses");

  @Test
  void golden_isServedAsItWasStored() {
    try (KeelsonProcess server = KeelsonProcess.start(home, flags)) {
      RestClient client = RestClient.administrator(server);
      COLLECTIONS.forEach(
          (name, path) -> assertServed(client, name, path.formatted("namespaces/" + NAMESPACE)));
    }
  }

  private static void assertServed(RestClient client, String name, String path) {
    Response served = client.get(path + "/" + NAME);
    assertThat(served.statusCode()).as(served.asString()).isEqualTo(200);
    String revision = served.jsonPath().getString("metadata.resourceVersion");
    String[] parts =
        new String(golden(name + ".json"), StandardCharsets.UTF_8)
            .split("(?<=\"metadata\":\\{)", 2);
    String expected = parts[0] + parts[1].replaceFirst("resourceVersionValue", revision);
    assertThat(served.jsonPath().getMap("$")).isEqualTo(new JsonPath(expected).getMap("$"));
    assertThat(names(client, path, "labelSelector", "labelsKey=labelsValue")).containsExactly(NAME);
    assertThat(names(client, path, "labelSelector", "labelsKey!=labelsValue")).doesNotContain(NAME);
    assertThat(names(client, path, "fieldSelector", "metadata.name=" + NAME)).containsExactly(NAME);
    assertThat(names(client, path, "fieldSelector", "metadata.name=x")).isEmpty();
  }

  private static List<String> names(RestClient client, String path, String query, String value) {
    Response list = client.request().queryParam(query, value).get(path);
    assertThat(list.statusCode()).as(list.asString()).isEqualTo(200);
    return list.jsonPath().getList("items.metadata.name");
  }

  @Test
  void change_keepsTheRest_andIsProtobufAgain() throws IOException {
    String path = "/api/v1/namespaces/" + NAMESPACE + "/configmaps/plain";
    try (KeelsonProcess server = KeelsonProcess.start(home, with(PROTOBUF))) {
      Response patched =
          RestClient.administrator(server)
              .request()
              .contentType("application/merge-patch+json")
              .body("{\"data\":{\"more\":\"x\"}}")
              .patch(path);
      assertThat(patched.statusCode()).as(patched.asString()).isEqualTo(200);
      server.stop();
    }

    byte[] stored = read("/registry/configmaps/namespaceValue/plain");

    V1.ConfigMap before = V1.ConfigMap.parseFrom(unknown(configMap("plain", "one")).getRaw());
    V1.ConfigMap after = V1.ConfigMap.parseFrom(unknown(stored).getRaw());
    assertThat(unknown(stored).getTypeMeta().getKind()).isEqualTo("ConfigMap");
    assertThat(after.getDataMap()).isEqualTo(Map.of("more", "x", "number", "one"));
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getMetadata().getLabelsMap()).isEqualTo(before.getMetadata().getLabelsMap());
    assertThat(after.getMetadata().getResourceVersion()).isEmpty();
    // what kube-apiserver's encoder writes although it is empty
    assertThat(after.getMetadata().hasResourceVersion()).isTrue();
    assertThat(after.getMetadata().hasSelfLink()).isTrue();
    // and what nobody touched is as it was
    assertThat(read("/registry/configmaps/namespaceValue/other"))
        .isEqualTo(configMap("other", "two"));
  }

  @Test
  void created_isStoredAsKubeApiserverWould_andReadWithoutTheFlagToo() throws IOException {
    String path = "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments";
    Map<String, Object> labels = Map.of("app", "x");
    Map<String, Object> container = Map.of("name", "c", "image", "i");
    Map<String, Object> deployment =
        Map.of(
            "metadata",
            Map.of("name", "made"),
            "spec",
            Map.of(
                "selector",
                Map.of("matchLabels", labels),
                "template",
                Map.of(
                    "metadata",
                    Map.of("labels", labels),
                    "spec",
                    Map.of("containers", List.of(container)))));
    Map<String, Object> made;
    try (KeelsonProcess server = KeelsonProcess.start(home, with(PROTOBUF))) {
      Response created = RestClient.administrator(server).post(path, deployment);
      assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
      made = created.jsonPath().getMap("$");
      server.stop();
    }

    Unknown stored = unknown(read("/registry/deployments/namespaceValue/made"));
    assertThat(stored.getTypeMeta().getApiVersion()).isEqualTo("apps/v1");
    assertThat(stored.hasContentType() && stored.hasContentEncoding()).isTrue();
    V1Apps.Deployment read = V1Apps.Deployment.parseFrom(stored.getRaw());
    assertThat(read.getSpec().getReplicas()).isEqualTo(1);
    assertThat(read.getSpec().getTemplate().getSpec().getContainers(0).getImage()).isEqualTo("i");

    try (KeelsonProcess server = KeelsonProcess.start(home, flags)) {
      RestClient client = RestClient.administrator(server);
      assertThat(client.get(path + "/made").jsonPath().getMap("$")).isEqualTo(made);
      assertThat(client.delete(path + "/made").statusCode()).isEqualTo(200);
      server.stop();
    }
    try (RevisionedStore store = store()) {
      assertThat(
              store
                  .get(
                      Bytes.utf8("/registry/deployments/namespaceValue/made"),
                      RevisionedStore.NEWEST)
                  .entry())
          .isNull();
    }
  }

  private List<String> with(String flag) {
    List<String> all = new ArrayList<>(flags);
    all.add(flag);
    return all;
  }

  private byte[] read(String key) {
    try (RevisionedStore store = store()) {
      Entry entry = store.get(Bytes.utf8(key), RevisionedStore.NEWEST).entry();
      return Objects.requireNonNull(entry, key).value().array();
    }
  }

  /**
   * An object as kube-apiserver before 1.26 stored it.
   *
   * @param key below the root, without namespace and name
   * @param path of its collection in today's version
   */
  private record Former(
      String apiVersion, String kind, String key, String rest, String path, String field) {

    String storedKey() {
      return "/registry/" + key + "/" + NAMESPACE + "/former";
    }

    byte[] value() {
      return ("{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"name\":\"former\",\"namespace\":"
              + "\"namespaceValue\",\"uid\":\"u-%s\",\"creationTimestamp\":"
              + "\"2021-01-01T00:00:00Z\"},%s}")
          .formatted(kind, apiVersion, kind, rest)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  private static final List<Former> FORMERS =
      List.of(
          new Former(
              "networking.k8s.io/v1beta1",
              "Ingress",
              "ingress",
              "\"spec\":{\"rules\":[{\"http\":{\"paths\":[{\"path\":\"/\",\"pathType\":\"Prefix\",\"backend\":"
                  + "{\"serviceName\":\"web\",\"servicePort\":80}}]}}]}",
              "/apis/networking.k8s.io/v1/namespaces/namespaceValue/ingresses",
              "spec.rules[0].http.paths[0].backend.service.name"),
          new Former(
              "batch/v1beta1",
              "CronJob",
              "cronjobs",
              "\"spec\":{\"schedule\":\"web\",\"suspend\":true,\"concurrencyPolicy\":\"Allow\","
                  + "\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":{\"containers\":[]}}}}}",
              "/apis/batch/v1/namespaces/namespaceValue/cronjobs",
              "spec.schedule"),
          new Former(
              "policy/v1beta1",
              "PodDisruptionBudget",
              "poddisruptionbudgets",
              "\"spec\":{\"minAvailable\":1,\"selector\":{\"matchLabels\":{\"app\":\"web\"}}}",
              "/apis/policy/v1/namespaces/namespaceValue/poddisruptionbudgets",
              "spec.selector.matchLabels.app"),
          new Former(
              "autoscaling/v2beta2",
              "HorizontalPodAutoscaler",
              "horizontalpodautoscalers",
              "\"spec\":{\"maxReplicas\":2,\"scaleTargetRef\":{\"kind\":\"Deployment\",\"name\":\"web\","
                  + "\"apiVersion\":\"apps/v1\"}}",
              "/apis/autoscaling/v2/namespaces/namespaceValue/horizontalpodautoscalers",
              "spec.scaleTargetRef.name"),
          new Former(
              "discovery.k8s.io/v1beta1",
              "EndpointSlice",
              "endpointslices",
              "\"addressType\":\"IPv4\",\"endpoints\":[{\"addresses\":[\"10.1.2.3\"],\"hostname\":"
                  + "\"web\"}],\"ports\":[]",
              "/apis/discovery.k8s.io/v1/namespaces/namespaceValue/endpointslices",
              "endpoints[0].hostname"),
          new Former(
              "storage.k8s.io/v1beta1",
              "CSIStorageCapacity",
              "csistoragecapacities",
              "\"storageClassName\":\"web\",\"capacity\":\"1Gi\"",
              "/apis/storage.k8s.io/v1/namespaces/namespaceValue/csistoragecapacities",
              "storageClassName"));

  @Test
  void formerVersions_areServedInTodays_andStoredInThemWhenTheyChange() {
    String gone = "/registry/podsecuritypolicy/former";
    byte[] policy =
        "{\"kind\":\"PodSecurityPolicy\",\"apiVersion\":\"policy/v1beta1\",\"metadata\":{\"name\":\"former\"}}"
            .getBytes(StandardCharsets.UTF_8);
    try (RevisionedStore store = store()) {
      FORMERS.forEach(former -> put(store, former.storedKey(), former.value()));
      put(store, gone, policy);
    }
    try (KeelsonProcess server = KeelsonProcess.start(home, flags)) {
      RestClient client = RestClient.administrator(server);
      for (Former former : FORMERS) {
        Response served = client.get(former.path() + "/former");
        assertThat(served.statusCode()).as(served.asString()).isEqualTo(200);
        assertThat(served.<String>path("kind")).isEqualTo(former.kind());
        assertThat(former.path())
            .startsWith("/apis/" + served.<String>path("apiVersion") + "/namespaces/");
        assertThat(served.<String>path(former.field())).as(former.kind()).isEqualTo("web");
        assertThat(client.get(former.path()).<List<String>>path("items.metadata.name"))
            .contains("former");
      }
      Response changed =
          client
              .request()
              .contentType("application/merge-patch+json")
              .body("{\"metadata\":{\"labels\":{\"changed\":\"yes\"}}}")
              .patch(FORMERS.getFirst().path() + "/former");
      assertThat(changed.statusCode()).as(changed.asString()).isEqualTo(200);
    }
    assertThat(new String(read(FORMERS.getFirst().storedKey()), StandardCharsets.UTF_8))
        .contains("networking.k8s.io/v1", "web")
        .doesNotContain("v1beta1");
    assertThat(read(FORMERS.get(1).storedKey())).isEqualTo(FORMERS.get(1).value());
    assertThat(read(gone)).isEqualTo(policy);
  }

  /** A definition as kube-apiserver stores it to this day. */
  private static final String DEFINITION =
      """
      {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1","metadata":{
      "name":"gadgets.example.com","uid":"d1","generation":1,"creationTimestamp":"2021-01-01T00:00:00Z"},
      "spec":{"group":"example.com","version":"v1","names":{"plural":"gadgets","singular":"gadget","kind":
      "Gadget","listKind":"GadgetList"},"scope":"Namespaced","validation":{"openAPIV3Schema":{"type":"object",
      "properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}},"versions":[{"name":
      "v1","served":true,"storage":true}],"additionalPrinterColumns":[{"name":"Size","type":"integer",
      "JSONPath":".spec.size"}],"conversion":{"strategy":"None"},"preserveUnknownFields":false},"status":{
      "conditions":[{"type":"NamesAccepted","status":"True","lastTransitionTime":"2021-01-01T00:00:00Z",
      "reason":"NoConflicts","message":"no conflicts found"},{"type":"Established","status":"True",
      "lastTransitionTime":"2021-01-01T00:00:00Z","reason":"InitialNamesAccepted","message":
      "the initial names have been accepted"}],"acceptedNames":{"plural":"gadgets","singular":"gadget",
      "kind":"Gadget","listKind":"GadgetList"},"storedVersions":["v1"]}}
      """;

  private static final String GADGET =
      """
      {"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"former","namespace":
      "namespaceValue","uid":"g1","generation":1,"creationTimestamp":"2021-01-01T00:00:00Z"},
      "spec":{"size":7}}
      """;

  private static final String LEVEL =
      """
      {"kind":"PriorityLevelConfiguration","apiVersion":"flowcontrol.apiserver.k8s.io/v1beta2",
      "metadata":{"name":"former","uid":"l1","generation":1,"creationTimestamp":"2021-01-01T00:00:00Z"},
      "spec":{"type":"Limited","limited":{"assuredConcurrencyShares":7,"limitResponse":{"type":"Reject"}}},
      "status":{}}
      """;

  private static final String SLICE =
      """
      {"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1beta1","metadata":{"name":"zoned",
      "namespace":"namespaceValue","uid":"s1","generation":1,"creationTimestamp":"2021-01-01T00:00:00Z"},
      "addressType":"IPv4","endpoints":[{"addresses":["10.1.2.3"],"conditions":{"ready":true},"topology":{
      "kubernetes.io/hostname":"n1","topology.kubernetes.io/zone":"z1","old":"x"}}],"ports":[]}
      """;

  @Test
  void fieldsThatHaveOtherNamesToday_areNotLost() {
    String definition =
        "/registry/apiextensions.k8s.io/customresourcedefinitions/gadgets.example.com";
    String level = "/registry/prioritylevelconfigurations/former";
    try (RevisionedStore store = store()) {
      put(store, definition, stored(DEFINITION));
      put(store, "/registry/example.com/gadgets/namespaceValue/former", stored(GADGET));
      put(store, level, stored(LEVEL));
      put(store, "/registry/endpointslices/namespaceValue/zoned", stored(SLICE));
    }
    try (KeelsonProcess server = KeelsonProcess.start(home, flags)) {
      RestClient client = RestClient.administrator(server);
      String path = "/apis/example.com/v1/namespaces/namespaceValue/gadgets";
      Response gadget = client.get(path + "/former");
      assertThat(gadget.statusCode()).as(gadget.asString()).isEqualTo(200);
      assertThat(gadget.<Integer>path("spec.size")).isEqualTo(7);
      Response table =
          client.request().accept("application/json;as=Table;g=meta.k8s.io;v=v1").get(path);
      assertThat(table.<List<String>>path("columnDefinitions.name"))
          .containsExactly("Name", "Size");
      assertThat(table.<Integer>path("rows[0].cells[1]")).isEqualTo(7);

      String levels = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
      String shares = "spec.limited.nominalConcurrencyShares";
      assertThat(client.get(levels + "/former").<Integer>path(shares)).isEqualTo(7);
      Response listed =
          client.request().queryParam("fieldSelector", "metadata.name=former").get(levels);
      assertThat(listed.<Integer>path("items[0]." + shares)).isEqualTo(7);
      Response changed =
          client
              .request()
              .contentType("application/merge-patch+json")
              .body("{\"metadata\":{\"labels\":{\"changed\":\"yes\"}}}")
              .patch(levels + "/former");
      assertThat(changed.<Integer>path(shares)).as(changed.asString()).isEqualTo(7);

      Map<String, Object> endpoint =
          client
              .get("/apis/discovery.k8s.io/v1/namespaces/namespaceValue/endpointslices/zoned")
              .path("endpoints[0]");
      assertThat(endpoint)
          .containsEntry("nodeName", "n1")
          .containsEntry("zone", "z1")
          .containsEntry("deprecatedTopology", Map.of("old", "x"));
    }
    assertThat(new String(read(level), StandardCharsets.UTF_8))
        .contains("flowcontrol.apiserver.k8s.io/v1\"", "\"nominalConcurrencyShares\":7");
    assertThat(read(definition)).isEqualTo(stored(DEFINITION));
  }

  private static byte[] stored(String json) {
    return json.replace("\n", "").getBytes(StandardCharsets.UTF_8);
  }

  private static void put(RevisionedStore store, String key, byte[] value) {
    Entry there = store.get(Bytes.utf8(key), RevisionedStore.NEWEST).entry();
    WriteOutcome outcome =
        store.write(
            Write.put(
                Bytes.utf8(key),
                Bytes.wrap(value),
                there == null ? Write.ABSENT : there.modRevision()));
    assertThat(outcome).isInstanceOf(WriteOutcome.Applied.class);
  }

  private static Unknown unknown(byte[] stored) throws IOException {
    assertThat(Arrays.copyOf(stored, MAGIC.length)).isEqualTo(MAGIC);
    return Unknown.parseFrom(Arrays.copyOfRange(stored, MAGIC.length, stored.length));
  }

  /** As kube-apiserver writes it, made with the classes of the official client. */
  private static byte[] configMap(String name, String value) {
    return enveloped(
        "ConfigMap",
        V1.ConfigMap.newBuilder()
            .setMetadata(metadata(name, NAMESPACE).putLabels("which", value))
            .putData("number", value)
            .build()
            .toByteString());
  }

  private static byte[] namespace() {
    return enveloped(
        "Namespace",
        V1.Namespace.newBuilder()
            .setMetadata(metadata(NAMESPACE, ""))
            .setSpec(V1.NamespaceSpec.newBuilder().addFinalizers("kubernetes"))
            .setStatus(V1.NamespaceStatus.newBuilder().setPhase("Active"))
            .build()
            .toByteString());
  }

  private static ObjectMeta.Builder metadata(String name, String namespace) {
    return ObjectMeta.newBuilder()
        .setName(name)
        .setGenerateName("")
        .setNamespace(namespace)
        .setSelfLink("")
        .setUid("f6c6a6f4-0d6f-4f0c-9a53-" + String.format("%012d", name.hashCode() & 0xFFFF))
        .setResourceVersion("")
        .setGeneration(0)
        .setCreationTimestamp(
            io.kubernetes.client.proto.Meta.Time.newBuilder()
                .setSeconds(1_600_000_000)
                .setNanos(0));
  }

  private static byte[] enveloped(String kind, com.google.protobuf.ByteString raw) {
    byte[] unknown =
        Unknown.newBuilder()
            .setTypeMeta(
                io.kubernetes.client.proto.Runtime.TypeMeta.newBuilder()
                    .setApiVersion("v1")
                    .setKind(kind))
            .setRaw(raw)
            .setContentEncoding("")
            .setContentType("")
            .build()
            .toByteArray();
    byte[] all = Arrays.copyOf(MAGIC, MAGIC.length + unknown.length);
    System.arraycopy(unknown, 0, all, MAGIC.length, unknown.length);
    return all;
  }

  private static byte[] golden(String file) {
    try (InputStream in =
        Objects.requireNonNull(TakeoverSuite.class.getResourceAsStream("/golden/" + file), file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
