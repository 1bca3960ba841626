package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Query;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables and lists of custom resources in the versions that are asked for. */
@Timeout(60)
class CustomTypeTablesTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

  private static final String DEFINITION =
      """
      {'metadata':{'name':'widgets.example.com','uid':'u'},
       'spec':{'group':'example.com','scope':'Namespaced',
        'names':{'plural':'widgets','singular':'widget','kind':'Widget','listKind':'WidgetList'},
        'versions':[
         {'name':'v1','served':true,'storage':true,
          'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',
            'properties':{'size':{'type':'integer'},'color':{'type':'string','nullable':true}}}}}},
          'additionalPrinterColumns':[
           {'name':'Size','type':'integer','jsonPath':'.spec.size'},
           {'name':'Color','type':'string','jsonPath':'.spec.color'},
           {'name':'Revision','type':'string','jsonPath':'.metadata.resourceVersion'}]},
         {'name':'v1beta1','served':true,'storage':false,
          'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',
            'properties':{'size':{'type':'integer'},
              'color':{'type':'string'}}}}}},
          'additionalPrinterColumns':[
           {'name':'API','type':'string','jsonPath':'.apiVersion'},
           {'name':'Color','type':'string','jsonPath':'.spec.color'}]},
         {'name':'v1alpha1','served':true,'storage':false,
          'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',
            'properties':{'size':{'type':'integer'}}}}}}}]}}
      """;

  private final LocalApi api;
  private final BodyWriter writer;

  CustomTypeTablesTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    CustomTypes.serve(api.catalog(), DEFINITION);
    writer =
        new BodyWriter(api.registry(), api.codec(), MetaSchemas.of(SCHEMAS::struct), api.clock());
    api.create(
        "example.com/v1",
        "widgets",
        "default",
        "{'metadata':{'name':'a'},'spec':{'size':3,'color':'red'}}");
    api.create("example.com/v1", "widgets", "default", "{'metadata':{'name':'b'},'spec':{}}");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private JsonObject list(String version) {
    return JsonParser.parseString(list(version, TABLE)).getAsJsonObject();
  }

  private String list(String version, String accept) {
    ApiRequest request =
        new ApiRequest(
            "GET",
            "/",
            Query.parse("includeObject=None"),
            Map.of("accept", List.of(accept)),
            new byte[0],
            List.of(),
            "127.0.0.1");
    Payload body =
        (Payload)
            writer
                .list(
                    request,
                    api.registry()
                        .list(
                            api.collection("example.com/" + version, "widgets", "default"),
                            ListQuery.ALL,
                            ListPage.WHOLE))
                .body();
    return new String(body.toByteArray(), StandardCharsets.UTF_8);
  }

  private static String cells(JsonObject table) {
    JsonArray rows = table.getAsJsonArray("rows");
    StringBuilder cells = new StringBuilder();
    for (JsonElement row : rows) {
      cells.append(row.getAsJsonObject().get("cells"));
    }
    return cells.toString().replace('"', '\'');
  }

  @Test
  void storedVersion_hasItsColumns() {
    JsonObject table = list("v1");

    String revision = api.get("example.com/v1", "widgets", "default", "a").meta().resourceVersion();
    assertThat(table.getAsJsonArray("columnDefinitions")).hasSize(4);
    assertThat(cells(table)).startsWith("['a',3,'red','" + revision + "']['b',null,null,");
  }

  @Test
  void otherVersion_isShownAsItIsServed() {
    JsonObject table = list("v1beta1");

    assertThat(cells(table))
        .isEqualTo("['a','example.com/v1beta1','red']['b','example.com/v1beta1',null]");
  }

  @Test
  void versionWithoutColumns_hasAges() {
    assertThat(cells(list("v1alpha1"))).isEqualTo("['a','0s']['b','0s']");
  }

  @Test
  void itemsOfAYamlList_haveTheirType() {
    assertThat(list("v1beta1", "application/yaml"))
        .containsOnlyOnce("kind: WidgetList")
        .containsPattern("(?s)(\\bapiVersion: example.com/v1beta1\\b.*\\bkind: Widget\\b.*){2}");
  }
}
