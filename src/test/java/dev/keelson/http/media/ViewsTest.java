package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Query;
import dev.keelson.http.StatusBody;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.request.Latencies;
import dev.keelson.request.Latencies.Layer;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.LocalApi;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables and metadata alone, of objects, lists and watches. */
@Timeout(120)
class ViewsTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String PARTIAL = ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private final LocalApi api;
  private final MetaSchemas schemas = MetaSchemas.of(SCHEMAS::struct);
  private final BodyWriter writer;
  private final Collection collection;

  ViewsTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    writer = new BodyWriter(api.registry(), api.codec(), schemas, api.clock());
    collection = api.collection("v1", "configmaps", "default");
  }

  @BeforeEach
  void objects() {
    api.create("v1", "configmaps", "default", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    api.create("v1", "configmaps", "default", "{'metadata':{'name':'b','labels':{'l':'1'}}}");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private static ApiRequest request(String accept, String query) {
    return new ApiRequest(
        "GET",
        "/",
        Query.parse(query),
        Map.of("accept", List.of(accept)),
        new byte[0],
        List.of(),
        "127.0.0.1");
  }

  private static byte[] bytes(ApiResponse answer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (answer.body()) {
      case Payload payload -> out.writeBytes(payload.toByteArray());
      case Body.Streamed streamed -> {
        try {
          streamed.writeTo(part -> out.writeBytes(part.toByteArray()));
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      case Body.LongRunning _, Body.Relayed _, Body.Upgraded _ ->
          throw new AssertionError("a watch");
    }
    return out.toByteArray();
  }

  private static JsonObject json(byte[] bytes) {
    return JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  private byte[] get(String accept, String query) {
    return bytes(writer.object(request(accept, query), 200, api.registry().get(collection, "b")));
  }

  private byte[] list(String accept, String query) {
    return bytes(listed(collection, accept, query));
  }

  private ApiResponse listed(Collection of, String accept, String query) {
    return writer.list(
        request(accept, query), api.registry().list(of, ListQuery.ALL, ListPage.WHOLE));
  }

  @Test
  void responses_tellHowLongTheyWereMadeAndEncoded() {
    assertThat(measured("application/json")).containsExactly(Layer.SERIALIZE);
    assertThat(measured("application/vnd.kubernetes.protobuf")).containsExactly(Layer.SERIALIZE);
    assertThat(measured("application/yaml"))
        .containsExactlyInAnyOrder(Layer.TRANSFORM, Layer.SERIALIZE);
    assertThat(measured(TABLE)).containsExactlyInAnyOrder(Layer.TRANSFORM, Layer.SERIALIZE);
  }

  private List<Layer> measured(String accept) {
    Latencies latencies = new Latencies();
    byte[] body = latencies.during(() -> get(accept, ""));
    assertThat(body).isNotEmpty();
    List<Layer> layers = new ArrayList<>();
    latencies.forEach((layer, nanos) -> layers.add(layer));
    return layers;
  }

  @Test
  void table_ofAList_hasColumnsAndARowAnObject() {
    JsonObject table = json(list(TABLE, ""));

    assertThat(table.keySet())
        .containsExactly("kind", "apiVersion", "metadata", "columnDefinitions", "rows");
    assertThat(table.get("kind").getAsString()).isEqualTo("Table");
    assertThat(table.get("apiVersion").getAsString()).isEqualTo("meta.k8s.io/v1");
    assertThat(table.getAsJsonArray("columnDefinitions").get(0).getAsJsonObject().keySet())
        .containsExactly("name", "type", "format", "description", "priority");
    assertThat(table.getAsJsonArray("rows")).hasSize(2);
    JsonObject row = table.getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(row.getAsJsonArray("cells")).hasToString("[\"a\",1,\"0s\"]");
    JsonObject shown = row.getAsJsonObject("object");
    assertThat(shown.get("kind").getAsString()).isEqualTo("PartialObjectMetadata");
    assertThat(shown.get("apiVersion").getAsString()).isEqualTo("meta.k8s.io/v1");
    assertThat(shown.has("data")).isFalse();
    assertThat(shown.getAsJsonObject("metadata").get("resourceVersion").getAsString()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";as=Table;v=v1;g=meta.k8s.io"})
  void list_asText_isTheTreeWrittenAtOnce(String view) {
    String text = "lines\\n  and\\n\\nmore: 'x' " + "word ".repeat(60) + "\\n";
    for (int i = 0; i < 400; i++) {
      api.create(
          "v1",
          "configmaps",
          "default",
          "{'metadata':{'name':'n%d'},'data':{'k':'%s'}}".formatted(i, text.replace("'", "")));
    }
    assertSameInEveryForm(collection, view, Body.Streamed.class);
    assertSameInEveryForm(api.collection("v1", "secrets", "default"), view, Payload.class);
  }

  /** YAML and indented JSON of a list hold what its compact JSON does, in the form of one tree. */
  private void assertSameInEveryForm(Collection of, String view, Class<? extends Body> way) {
    String query = "includeObject=Object";
    Node tree = ObjectReader.untypedJson(bytes(listed(of, "application/json" + view, query)));
    ApiResponse yaml = listed(of, "application/yaml" + view, query);
    ApiResponse pretty = listed(of, "application/json" + view, query + "&pretty=true");

    assertThat(new String(bytes(yaml), StandardCharsets.UTF_8))
        .isEqualTo(new String(ObjectWriter.yaml(tree), StandardCharsets.UTF_8));
    assertThat(new String(bytes(pretty), StandardCharsets.UTF_8))
        .isEqualTo(new String(ObjectWriter.prettyJson(tree), StandardCharsets.UTF_8));
    assertThat(yaml.body()).isInstanceOf(way);
  }

  @Test
  void table_ofFlowSchemas_hasThemInTheOrderInWhichTheyMatch() {
    String version = "flowcontrol.apiserver.k8s.io/v1";
    for (String schema : List.of("a 900", "b 100", "c 900", "d 20")) {
      String[] parts = schema.split(" ", -1);
      api.create(
          version,
          "flowschemas",
          "",
          "{'metadata':{'name':'"
              + parts[0]
              + "'},'spec':{'matchingPrecedence':"
              + parts[1]
              + ",'priorityLevelConfiguration':{'name':'p'}}}");
    }
    Collection schemas = api.collection(version, "flowschemas", "");

    ApiResponse answer =
        writer.list(
            request(TABLE, "includeObject=None"),
            api.registry().list(schemas, ListQuery.ALL, ListPage.WHOLE));

    assertThat(json(bytes(answer)).getAsJsonArray("rows").asList())
        .extracting(row -> row.getAsJsonObject().getAsJsonArray("cells").get(0).getAsString())
        .containsExactly("d", "b", "a", "c");
  }

  @Test
  void table_ofOneObject_hasItsRevision() {
    JsonObject table = json(get(TABLE, "includeObject=None"));

    String revision = api.get("v1", "configmaps", "default", "b").meta().resourceVersion();
    assertThat(table.getAsJsonObject("metadata").get("resourceVersion").getAsString())
        .isEqualTo(revision);
    assertThat(table.getAsJsonArray("rows"))
        .hasToString("[{\"cells\":[\"b\",0,\"0s\"],\"object\":null}]");
  }

  @Test
  void table_canIncludeTheWholeObject() {
    JsonObject shown =
        json(list(TABLE, "includeObject=Object"))
            .getAsJsonArray("rows")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("object");

    assertThat(shown.get("kind").getAsString()).isEqualTo("ConfigMap");
    assertThat(shown.has("data")).isTrue();
  }

  @Test
  void table_canBePrettyOrYaml() {
    String yaml = new String(list(TABLE.replace("json", "yaml"), ""), StandardCharsets.UTF_8);
    String pretty = new String(list(TABLE, "pretty=true"), StandardCharsets.UTF_8);

    assertThat(yaml).contains("\nkind: Table\n").contains("\nrows:\n- cells:\n");
    assertThat(pretty).startsWith("{\n  \"kind\": \"Table\",\n");
  }

  @Test
  void table_withAnUnknownIncludeObject_isABadRequest() {
    assertThatThrownBy(() -> list(TABLE, "includeObject=All"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(
            "Unable to convert to Table as requested: includeObject: Invalid value: \"All\":"
                + " must be 'Metadata', 'Object', 'None', or empty");
  }

  @Test
  void metadata_ofOneObject_isAllThatIsShown() {
    MapNode whole = api.get("v1", "configmaps", "default", "b").root();
    JsonObject partial = json(get("application/json" + PARTIAL, ""));

    assertThat(partial.keySet()).containsExactly("kind", "apiVersion", "metadata");
    assertThat(partial.getAsJsonObject("metadata"))
        .isEqualTo(JsonParser.parseString(LocalApi.json(whole.map("metadata")).replace('\'', '"')));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1"})
  void metadata_ofAListInProtobuf_saysTheSameAsInJson(String version) {
    String as = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=" + version;
    byte[] protobuf = list(PROTOBUF + as, "");
    byte[] json = list("application/json" + as, "");

    MapNode fromProtobuf =
        ObjectReader.protobuf(
                protobuf, schemas.partialList("meta.k8s.io/" + version), FieldValidation.STRICT)
            .root();
    JsonObject expected = json(json);
    assertThat(fromProtobuf.text("kind")).isEqualTo("PartialObjectMetadataList");
    assertThat(fromProtobuf.text("apiVersion")).isEqualTo("meta.k8s.io/" + version);
    assertThat(fromProtobuf.items("items")).hasSize(2);
    assertThat(((MapNode) fromProtobuf.items("items").get(1)).map("metadata").text("name"))
        .isEqualTo("b");
    assertThat(expected.getAsJsonArray("items")).hasSize(2);
    assertThat(expected.getAsJsonArray("items").get(0).getAsJsonObject().get("kind").getAsString())
        .isEqualTo("PartialObjectMetadata");
  }

  @Test
  void metadata_ofTheOtherNumber_isNotAcceptable() {
    assertThatThrownBy(() -> list("application/json" + PARTIAL, ""))
        .hasMessage(
            "you requested PartialObjectMetadata, but the requested object is a list"
                + " (*core.ConfigMapList)");
    assertThatThrownBy(() -> get("application/json" + PARTIAL.replace("data;", "dataList;"), ""))
        .hasMessage(
            "you requested PartialObjectMetadataList, but the requested object is not a list"
                + " (*core.ConfigMap)");
  }

  private EventForm form(String accept) {
    ApiRequest request = request(accept, "");
    return new EventForms(
            api.registry(),
            api.codec(),
            new JsonForm(api.registry(), api.codec()),
            new ObjectViews(api.registry(), schemas, api.clock()),
            schemas,
            api.clock())
        .of(Negotiation.acceptedForWatch(request), request, collection.definition());
  }

  private WatchEncoder frames(String accept) {
    return new WatchEncoder(
        collection.definition(), Negotiation.acceptedForWatch(request(accept, "")), form(accept));
  }

  private ObjectEvent added() {
    return new ObjectEvent(ObjectEvent.Type.ADDED, api.registry().get(collection, "b"), null);
  }

  @Test
  void tableWatch_namesTheColumnsOnce() {
    WatchEncoder frames = frames(TABLE);

    JsonObject first = json(frames.event(added()).toByteArray());
    JsonObject second = json(frames.event(added()).toByteArray());
    JsonObject bookmark = json(frames.bookmark(77).toByteArray());

    assertThat(first.get("type").getAsString()).isEqualTo("ADDED");
    assertThat(first.getAsJsonObject("object").getAsJsonArray("columnDefinitions")).hasSize(3);
    assertThat(second.getAsJsonObject("object").get("columnDefinitions").isJsonNull()).isTrue();
    assertThat(second.getAsJsonObject("object").getAsJsonArray("rows")).hasSize(1);
    assertThat(bookmark.getAsJsonObject("object").get("kind").getAsString()).isEqualTo("Table");
    assertThat(
            bookmark
                .getAsJsonObject("object")
                .getAsJsonObject("metadata")
                .get("resourceVersion")
                .getAsString())
        .isEqualTo("77");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", PARTIAL})
  void protobufWatch_isFramesOfEventsWithEnvelopes(String view) {
    byte[] frame = frames(PROTOBUF + view).event(added()).toByteArray();
    byte[] object = get(PROTOBUF + view, "");

    assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
    // WatchEvent.type
    assertThat(new String(frame, 4, 7, StandardCharsets.UTF_8)).isEqualTo("\n\5ADDED");
    // WatchEvent.object, and its raw bytes
    assertThat(frame[11]).isEqualTo((byte) 0x12);
    assertThat(frame).endsWith(object);
    assertThat(object).startsWith('k', '8', 's', 0);
    int lengthBytes = object.length < 128 ? 1 : 2;
    assertThat(frame[frame.length - object.length - lengthBytes - 1]).isEqualTo((byte) 0x0a);
  }

  @Test
  void protobufWatch_bookmarksAndErrorsAreProtobufToo() {
    WatchEncoder frames = frames(PROTOBUF);
    ApiException expired = new ApiException(Reason.EXPIRED, "too old");

    String bookmark = new String(frames.bookmark(77).toByteArray(), StandardCharsets.ISO_8859_1);
    String error =
        new String(frames.error(expired).orElseThrow().toByteArray(), StandardCharsets.ISO_8859_1);

    assertThat(bookmark)
        .contains("BOOKMARK")
        .contains("k8s\0")
        .contains("ConfigMap")
        .contains("77");
    assertThat(error).contains("ERROR").contains("k8s\0").contains("Status").contains("too old");
  }

  @Test
  void status_ofASuccess_isInTheFormatThatAViewNames() {
    ApiResponse answer =
        writer.status(
            request(PROTOBUF + PARTIAL, ""),
            200,
            StatusBody.success(dev.keelson.api.ErrorDetails.NONE));

    assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
  }
}
