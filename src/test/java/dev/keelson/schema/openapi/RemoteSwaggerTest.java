package dev.keelson.schema.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.keelson.api.GroupVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.RemoteDocuments.Snapshot;
import dev.keelson.schema.openapi.RemoteDocuments.Swagger;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The documents of this server with those of others. */
@Timeout(60)
class RemoteSwaggerTest {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final String PATH = "/apis/shop.example.com/v1/widgets";

  private final AtomicReference<Snapshot> remote = new AtomicReference<>(Snapshot.EMPTY);
  private final OpenApiDocuments documents =
      Documents.of(
          new ResourceCatalog(Documents.builtIn()),
          new Descriptions(name -> "About", (type, field) -> field),
          remote::get);

  private static Swagger swagger(String json, String hash) {
    return new Swagger(
        new GroupVersion("shop.example.com", "v1"),
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
        hash);
  }

  /** With keys and values that gnostic's messages do not have. */
  private static Swagger widgets() {
    return swagger(
        """
        {'paths':{'%s':{'summary':'no field','get':{'description':'list','x-any':{'a':1},
           'security':[{'a':[]}],'tags':['t',7],'deprecated':'yes',
           'parameters':[{'name':'h','in':'header','type':'string'},
             {'name':'q','in':'query','type':'string','minimum':3},
             {'$ref':'#/parameters/limit'}],
           'responses':{'200':{'description':'OK','schema':{'$ref':'#/definitions/Widget'}},
             'default':7}}}},
         'parameters':{'limit':{'name':'limit','in':'query','description':'theirs'}},
         'definitions':{'Widget':{'type':'object','allOf':[{'type':'object'}],'default':{},
           'properties':{'status':{'$ref':'#/definitions/%sStatus'},'n':{'type':['a','b']}},
           'x-kubernetes-group-version-kind':
             [{'group':'shop.example.com','version':'v1','kind':'Widget'}]},
          '%sStatus':{'type':'object','description':'another one'}}}
        """
            .formatted(PATH, META, META),
        "w1");
  }

  @Test
  void v2_hasThePathsAndDefinitionsOfBoth() {
    JsonObject alone = Documents.v2(documents);
    String hash = documents.v2(Format.JSON).hash();
    remote.set(new Snapshot(1, List.of(widgets()), Map.of()));

    JsonObject merged = Documents.v2(documents);

    JsonObject paths = merged.getAsJsonObject("paths");
    JsonObject definitions = merged.getAsJsonObject("definitions");
    assertThat(paths.keySet())
        .containsAll(alone.getAsJsonObject("paths").keySet())
        .contains(PATH)
        .hasSize(alone.getAsJsonObject("paths").size() + 1);
    assertThat(definitions.keySet()).contains("Widget", META + "Status", META + "Status_v2");
    assertThat(definitions.get(META + "Status"))
        .isEqualTo(alone.getAsJsonObject("definitions").get(META + "Status"));
    assertThat(
            Documents.at(definitions, "Widget", "properties", "status").get("$ref").getAsString())
        .isEqualTo("#/definitions/" + META + "Status_v2");
    assertThat(merged.get("info")).isEqualTo(alone.get("info"));
    assertThat(documents.v2(Format.JSON).hash()).isNotEqualTo(hash);
  }

  @Test
  void v2_asProtobuf_leavesOutWhatGnosticDoesNotHave() {
    remote.set(new Snapshot(1, List.of(widgets()), Map.of()));

    String message = new String(documents.v2(Format.PROTOBUF).body(), StandardCharsets.ISO_8859_1);

    assertThat(message).contains(PATH).contains("Widget").doesNotContain("no field");
  }

  @Test
  void v2_isBuiltAgainWhenADocumentChanges_andAsBeforeWhenItGoes() {
    OpenApiDocument before = documents.v2(Format.JSON);
    remote.set(new Snapshot(1, List.of(widgets()), Map.of()));
    OpenApiDocument merged = documents.v2(Format.JSON);
    remote.set(new Snapshot(2, List.of(swagger("{'paths':{'/apis/x':{}}}", "w2")), Map.of()));
    OpenApiDocument changed = documents.v2(Format.JSON);
    remote.set(new Snapshot(3, List.of(), Map.of()));

    assertThat(changed.hash()).isNotEqualTo(merged.hash());
    assertThat(TreeJson.parse(changed.body()).getAsJsonObject("paths").keySet())
        .contains("/apis/x")
        .doesNotContain(PATH);
    assertThat(documents.v2(Format.JSON).hash()).isEqualTo(before.hash());
    assertThat(documents.v2(Format.JSON).body()).isEqualTo(before.body());
  }

  @Test
  void index_namesTheDocumentsOfOtherServers_whichAreTheirs() {
    String url = "/openapi/v3/apis/shop.example.com/v1?hash=AB";
    remote.set(new Snapshot(1, List.of(), Map.of("apis/shop.example.com/v1", url)));

    JsonObject paths = TreeJson.parse(documents.v3Index().body()).getAsJsonObject("paths");

    assertThat(Documents.at(paths, "apis/shop.example.com/v1").get("serverRelativeURL"))
        .isEqualTo(new com.google.gson.JsonPrimitive(url));
    assertThat(List.copyOf(paths.keySet())).contains("api/v1", "apis/apps/v1").isSorted();
    assertThat(documents.hasV3("apis/shop.example.com/v1")).isFalse();
  }

  @Test
  void index_prefersTheOtherServer_forAGroupVersionOfBoth() {
    String url = "/openapi/v3/apis/apps/v1?hash=AB";
    remote.set(new Snapshot(1, List.of(), Map.of("apis/apps/v1", url)));

    assertThat(new String(documents.v3Index().body(), StandardCharsets.UTF_8)).contains(url);
  }
}
