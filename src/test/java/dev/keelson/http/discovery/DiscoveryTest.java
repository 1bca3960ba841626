package dev.keelson.http.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.media.Format;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.TreeJson;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DiscoveryTest {

  private static final String V2 =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private final List<ResourceDefinition> builtIn = BuiltInResources.all(DiscoveryTest::struct);
  private final ResourceCatalog catalog = new ResourceCatalog(builtIn);
  private final AtomicInteger written = new AtomicInteger();
  private final Discovery discovery =
      new Discovery(catalog, this::write, () -> "192.0.2.7:6443", RemoteGroups.NONE);

  private static StructSchema struct(String name) {
    return new StructSchema(name, false, false, List::of);
  }

  private byte[] write(MapNode tree, Format format) {
    written.incrementAndGet();
    return TreeJson.write(tree);
  }

  @Test
  void api_asked_namesTheCoreVersionAndTheAddress() {
    assertThat(plain("/api"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs":
                  [{"clientCIDR": "0.0.0.0/0", "serverAddress": "192.0.2.7:6443"}]}
                """));
  }

  @Test
  void apis_asked_listsTheGroupsWithTheirPreferredVersion() {
    JsonObject list = plain("/apis");

    assertThat(list.get("kind").getAsString()).isEqualTo("APIGroupList");
    assertThat(list.get("apiVersion").getAsString()).isEqualTo("v1");
    assertThat(names(list, "groups"))
        .startsWith("apiregistration.k8s.io", "apps", "events.k8s.io")
        .endsWith("extensions")
        .contains("resource.k8s.io")
        .doesNotContain("")
        .hasSize(22);
    assertThat(find(list, "groups", "autoscaling"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"name": "autoscaling", "versions": [
                  {"groupVersion": "autoscaling/v2", "version": "v2"},
                  {"groupVersion": "autoscaling/v1", "version": "v1"}],
                 "preferredVersion": {"groupVersion": "autoscaling/v2", "version": "v2"}}
                """));
  }

  @Test
  void group_asked_isAnApiGroup() {
    assertThat(plain("/apis/apps/"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"kind": "APIGroup", "apiVersion": "v1", "name": "apps",
                 "versions": [{"groupVersion": "apps/v1", "version": "v1"}],
                 "preferredVersion": {"groupVersion": "apps/v1", "version": "v1"}}
                """));
  }

  @Test
  void coreResources_asked_areSortedWithTheirSubresources() {
    JsonObject list = plain("/api/v1");

    assertThat(list.has("apiVersion")).isFalse();
    assertThat(list.get("groupVersion").getAsString()).isEqualTo("v1");
    assertThat(names(list, "resources")).isSorted().contains("bindings", "pods/log");
    assertThat(find(list, "resources", "pods"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod",
                 "verbs": ["create", "delete", "deletecollection", "get", "list", "patch",
                   "update", "watch"],
                 "shortNames": ["po"], "categories": ["all"],
                 "storageVersionHash": "xPOwRZ+Yhw8="}
                """));
    assertThat(find(list, "resources", "pods/eviction"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"name": "pods/eviction", "singularName": "", "namespaced": true,
                 "group": "policy", "version": "v1", "kind": "Eviction", "verbs": ["create"]}
                """));
    assertThat(find(list, "resources", "pods/exec"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"name": "pods/exec", "singularName": "", "namespaced": true,
                 "kind": "PodExecOptions", "verbs": ["create", "get"]}
                """));
    assertThat(find(list, "resources", "bindings").has("storageVersionHash")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "apiextensions.k8s.io/v1, customresourcedefinitions, jfWCUB31mvA=",
    "admissionregistration.k8s.io/v1, mutatingadmissionpolicies, LYmCf+UMVdg=",
  })
  void kindThatKubernetesStoresInItsBetaVersion_hasTheHashOfThat(
      String group, String resource, String hash) {
    assertThat(
            find(plain("/apis/" + group), "resources", resource)
                .get("storageVersionHash")
                .getAsString())
        .isEqualTo(hash);
  }

  @Test
  void groupResources_asked_haveAnApiVersionAndTheHashOfTheStoredKind() {
    JsonObject list = plain("/apis/extensions/v1beta1");

    assertThat(list.get("kind").getAsString()).isEqualTo("APIResourceList");
    assertThat(list.get("apiVersion").getAsString()).isEqualTo("v1");
    assertThat(find(list, "resources", "deployments").get("storageVersionHash").getAsString())
        .isEqualTo("8aSe+NMegvE=")
        .isEqualTo(
            find(plain("/apis/apps/v1"), "resources", "deployments")
                .get("storageVersionHash")
                .getAsString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//",
        "/api/v2",
        "/apis/nothing",
        "/apis/apps/v2",
        "/apis//v1",
        "/apis/apps/v1/x",
        "/api/v1/pods",
        "/version",
        "/apis/v1"
      })
  void answer_forPathsThatAreNotServed_isEmpty(String path) {
    assertThat(discovery.answer(path, "", "")).isEmpty();
  }

  @Test
  void aggregatedCore_asked_isOneNamelessGroup() {
    JsonObject list = TreeJson.parse(body(ask("/api", V2)));

    assertThat(list.get("kind").getAsString()).isEqualTo("APIGroupDiscoveryList");
    assertThat(list.get("apiVersion").getAsString()).isEqualTo("apidiscovery.k8s.io/v2");
    assertThat(list.getAsJsonArray("items")).hasSize(1);
    JsonObject group = list.getAsJsonArray("items").get(0).getAsJsonObject();
    assertThat(group.get("metadata")).isEqualTo(new JsonObject());
    JsonObject version = group.getAsJsonArray("versions").get(0).getAsJsonObject();
    assertThat(version.get("version").getAsString()).isEqualTo("v1");
    assertThat(version.get("freshness").getAsString()).isEqualTo("Current");
    assertThat(find(version, "resources", "resource", "serviceaccounts"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"resource": "serviceaccounts",
                 "responseKind": {"group": "", "version": "", "kind": "ServiceAccount"},
                 "scope": "Namespaced", "singularResource": "serviceaccount",
                 "verbs": ["create", "delete", "deletecollection", "get", "list", "patch",
                   "update", "watch"],
                 "shortNames": ["sa"],
                 "subresources": [{"subresource": "token", "responseKind":
                   {"group": "authentication.k8s.io", "version": "v1", "kind": "TokenRequest"},
                   "verbs": ["create"]}]}
                """));
    assertThat(find(version, "resources", "resource", "nodes").get("scope").getAsString())
        .isEqualTo("Cluster");
  }

  @Test
  void aggregatedGroups_asked_holdEveryVersionInOrder() {
    JsonObject list = TreeJson.parse(body(ask("/apis", V2)));

    assertThat(list.get("apiVersion").getAsString()).isEqualTo("apidiscovery.k8s.io/v2");
    assertThat(group(list, "batch").getAsJsonArray("versions").asList())
        .extracting(version -> version.getAsJsonObject().get("version").getAsString())
        .containsExactly("v1", "v1beta1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io|v2",
        "application/json; g=apidiscovery.k8s.io; v=v2; as=APIGroupDiscoveryList|v2",
        "application/json;profile=nopeer;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList|v2",
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;"
            + "g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json|v2",
        "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json;"
            + "g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json|''",
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;q=0.1,"
            + "application/json;q=0.5|''",
        "application/vnd.kubernetes.protobuf;q=0.5,application/json|''",
        "application/*|''",
        "*/*|''",
        "''|''",
        "application/json;charset=utf-8|''"
      })
  void format_byAcceptHeader_isTheOneThatTheClientLikesBest(String accept, String version) {
    ApiResponse answer = ask("/apis", accept);

    JsonObject body = TreeJson.parse(body(answer));
    assertThat(answer.header("Vary")).isEqualTo("Accept");
    if (version.isEmpty()) {
      assertThat(answer.header("Content-Type")).isEqualTo("application/json");
      assertThat(answer.header("ETag")).isEmpty();
      assertThat(answer.header("Cache-Control")).isEmpty();
      assertThat(body.get("kind").getAsString()).isEqualTo("APIGroupList");
    } else {
      assertThat(answer.header("Content-Type"))
          .isEqualTo(
              "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList");
      assertThat(answer.header("Cache-Control")).isEqualTo("public");
      assertThat(body.get("apiVersion").getAsString()).isEqualTo("apidiscovery.k8s.io/" + version);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/apis|text/html",
        "/api|application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList",
        // removed in 1.35
        "/apis|application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
        "/apis|application/json;g=meta.k8s.io;v=v1;as=Table",
        "/api/v1|application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        "/apis/apps|application/json;q=0"
      })
  void format_thatIsNotServed_isNotAcceptable(String path, String accept) {
    assertThatThrownBy(() -> discovery.answer(path, accept, ""))
        .isInstanceOfSatisfying(
            ApiException.class,
            error -> {
              assertThat(error.reason()).isEqualTo(Reason.NOT_ACCEPTABLE);
              assertThat(error.text()).contains("application/json");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1/"})
  void everyDocument_variesByAccept(String path) {
    assertThat(ask(path, "application/yaml").header("Vary")).isEqualTo("Accept");
    assertThat(discovery.serves(path)).isTrue();
    assertThat(discovery.serves(path + "x")).isFalse();
  }

  @Test
  void aggregated_askedWithItsTag_isNotModified() {
    String tag = ask("/apis", V2).header("ETag");

    assertThat(tag).matches("\"[0-9A-F]{128}\"");
    ApiResponse again = discovery.answer("/apis", V2, "\"x\", W/" + tag).orElseThrow();
    assertThat(again.status()).isEqualTo(304);
    assertThat(body(again)).isEmpty();
    assertThat(again.header("ETag")).isEqualTo(tag);
    assertThat(again.header("Vary")).isEqualTo("Accept");
    assertThat(again.header("Cache-Control")).isEqualTo("public");
    assertThat(discovery.answer("/api", V2, tag).orElseThrow().status()).isEqualTo(200);
  }

  @Test
  void documents_askedTwice_areWrittenOnceAndLazily() {
    assertThat(written).hasValue(0);

    ApiResponse first = ask("/apis", "");

    assertThat(ask("/apis", "")).isEqualTo(first);
    assertThat(written).hasValue(1);
  }

  @Test
  void customResource_isListedAsKubernetesListsIt() {
    CustomTypes.serve(
        catalog,
        CustomTypes.widgets("'subresources':{'status':{},'scale':{}}"),
        CustomTypes.definition("a.example.com", "gadgets", "Gadget", "Cluster", "'schema':{}"));

    JsonObject list = plain("/apis/example.com/v1");

    assertThat(names(list, "resources"))
        .containsExactly("widgets", "widgets/status", "widgets/scale");
    JsonObject widgets = find(list, "resources", "widgets");
    assertThat(widgets.get("verbs"))
        .hasToString(
            "[\"delete\",\"deletecollection\",\"get\",\"list\",\"patch\",\"create\","
                + "\"update\",\"watch\"]");
    assertThat(widgets.get("singularName").getAsString()).isEqualTo("widget");
    assertThat(widgets.get("storageVersionHash").getAsString()).isNotEmpty();
    assertThat(find(list, "resources", "widgets/scale").get("group").getAsString())
        .isEqualTo("autoscaling");
    assertThat(names(plain("/apis"), "groups"))
        .endsWith("extensions", "a.example.com", "example.com");
    assertThat(plain("/apis/example.com").get("preferredVersion"))
        .hasToString("{\"groupVersion\":\"example.com/v1\",\"version\":\"v1\"}");
  }

  @Test
  void aggregatedCustomResource_namesItsGroupAndVersionAgain() {
    CustomTypes.serve(catalog, CustomTypes.widgets("'subresources':{'status':{},'scale':{}}"));

    JsonObject list = TreeJson.parse(body(ask("/apis", V2)));
    JsonObject version =
        group(list, "example.com").getAsJsonArray("versions").get(0).getAsJsonObject();

    assertThat(find(version, "resources", "resource", "widgets"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"resource": "widgets",
                 "responseKind": {"group": "example.com", "version": "v1", "kind": "Widget"},
                 "scope": "Namespaced", "singularResource": "widget",
                 "verbs": ["delete", "deletecollection", "get", "list", "patch", "create",
                   "update", "watch"],
                 "subresources": [
                   {"subresource": "status", "verbs": ["get", "patch", "update"],
                    "responseKind": {"group": "example.com", "version": "v1", "kind": "Widget"}},
                   {"subresource": "scale", "verbs": ["get", "patch", "update"],
                    "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}}]}
                """));
  }

  @Test
  void documents_afterTheCatalogHasChanged_showTheNewOne() {
    String before = ask("/apis", V2).header("ETag");

    catalog.replaceAll(
        builtIn.stream().filter(definition -> !definition.gvr().group().equals("apps")).toList());

    assertThat(discovery.answer("/apis/apps", "", "")).isEmpty();
    assertThat(ask("/apis", V2).header("ETag")).isNotEqualTo(before);
    assertThat(names(plain("/apis"), "groups")).doesNotContain("apps");
  }

  private ApiResponse ask(String path, String accept) {
    ApiResponse answer = discovery.answer(path, accept, "").orElseThrow();
    assertThat(answer.status()).isEqualTo(200);
    return answer;
  }

  static byte[] body(ApiResponse answer) {
    return ((Payload) answer.body()).toByteArray();
  }

  private JsonObject plain(String path) {
    return TreeJson.parse(body(ask(path, "application/json")));
  }

  private static List<String> names(JsonObject list, String items) {
    return list.getAsJsonArray(items).asList().stream()
        .map(item -> item.getAsJsonObject().get("name").getAsString())
        .toList();
  }

  private static JsonObject find(JsonObject list, String items, String name) {
    return find(list, items, "name", name);
  }

  private static JsonObject find(JsonObject list, String items, String key, String name) {
    return find(list, items, name, item -> item.get(key).getAsString());
  }

  private static JsonObject group(JsonObject list, String name) {
    return find(
        list, "items", name, item -> item.getAsJsonObject("metadata").get("name").getAsString());
  }

  private static JsonObject find(
      JsonObject list, String items, String name, Function<JsonObject, String> naming) {
    return list.getAsJsonArray(items).asList().stream()
        .map(JsonElement::getAsJsonObject)
        .filter(item -> naming.apply(item).equals(name))
        .findFirst()
        .orElseThrow();
  }
}
