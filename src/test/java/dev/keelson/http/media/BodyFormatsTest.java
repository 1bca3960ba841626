package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.StatusBody;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects go in and out in every pair of formats with the same result. */
@Timeout(120)
class BodyFormatsTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String CLUSTER = "application/vnd.cluster.protobuf";
  private static final String SERVICE =
      "{'kind':'Service','apiVersion':'v1','metadata':{'name':'s','annotations':{'b':'2','a':'é'}},"
          + "'spec':{'ports':[{'port':80,'targetPort':'web'},{'name':'x','port':81,"
          + "'targetPort':8081}]},'status':{'loadBalancer':{}}}";

  private final BodyReader reader;
  private final LocalApi api;
  private final BodyWriter writer;
  private final ResourceDefinition services;
  private final Collection collection;

  BodyFormatsTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    reader = new BodyReader(api.catalog());
    writer =
        new BodyWriter(api.registry(), api.codec(), MetaSchemas.of(SCHEMAS::struct), api.clock());
    services = api.definition("v1", "services");
    collection = new Collection(services, "default");
  }

  @BeforeEach
  void somethingBeside() {
    api.create("v1", "configmaps", "default", "{'metadata':{'name':'other'}}");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private static ApiRequest request(String sent, String accepted, byte[] body) {
    return new ApiRequest(
        "POST",
        "/",
        Query.NONE,
        Map.of("content-type", List.of(sent), "accept", List.of(accepted)),
        body,
        List.of(),
        "127.0.0.1");
  }

  private ApiObject read(ApiRequest request) {
    return reader.object(exchange(request), services);
  }

  private static Exchange exchange(ApiRequest request) {
    RequestContext nobody = new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "");
    return new Exchange(request, new RequestInfo.NonResource("/", "post"), nobody);
  }

  private static byte[] written(String format, MapNode object, StructSchema schema) {
    return switch (format) {
      case JSON -> ObjectWriter.json(object);
      case YAML -> ObjectWriter.yaml(object);
      default -> ObjectWriter.protobuf(object, schema);
    };
  }

  private static MapNode tree(String format, byte[] body, StructSchema schema) {
    return switch (format) {
      case JSON -> ObjectReader.json(body, schema, FieldValidation.STRICT).root();
      case YAML -> ObjectReader.yaml(body, schema, FieldValidation.STRICT).root();
      default -> ObjectReader.protobuf(body, schema, FieldValidation.STRICT).root();
    };
  }

  private static String json(MapNode object) {
    return new String(ObjectWriter.json(object), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    JSON + "," + JSON,
    JSON + "," + YAML,
    JSON + "," + PROTOBUF,
    YAML + "," + JSON,
    YAML + "," + CLUSTER,
    PROTOBUF + "," + JSON,
    PROTOBUF + "," + YAML,
    PROTOBUF + "," + PROTOBUF,
    CLUSTER + "," + CLUSTER,
    CLUSTER + "," + JSON
  })
  void object_isTheSameInAnyPairOfFormats(String sent, String accepted) {
    MapNode object = api.object("v1", "services", SERVICE).root();
    ApiRequest request = request(sent, accepted, written(sent, object, services.schema()));

    ApiObject received = read(request);
    StoredObject stored = api.registry().create(collection, received, WriteOptions.PERSIST);
    ApiResponse answer = writer.object(request, 201, stored);

    assertThat(json(received.root())).isEqualTo(json(object));
    assertThat(answer.header("Content-Type")).isEqualTo(accepted);
    assertThat(json(tree(accepted, answer.payload().toByteArray(), services.schema())))
        .isEqualTo(json(api.served(stored).root()));
  }

  @ParameterizedTest
  @CsvSource({JSON, YAML, PROTOBUF, CLUSTER})
  void list_isTheSameInEveryFormat(String accepted) {
    api.create("v1", "services", "default", SERVICE);
    api.create("v1", "services", "default", SERVICE.replace("'s'", "'t'"));
    StructSchema list = SCHEMAS.struct("io.k8s.api.core.v1.ServiceList");

    ApiResponse answer =
        writer.list(
            request(JSON, accepted, new byte[0]),
            api.registry().list(collection, ListQuery.ALL, ListPage.WHOLE));

    assertThat(answer.header("Content-Type")).isEqualTo(accepted);
    MapNode tree = tree(accepted, answer.payload().toByteArray(), list);
    assertThat(tree.text("kind")).isEqualTo("ServiceList");
    assertThat(tree.map("metadata").text("resourceVersion")).isNotEmpty();
    assertThat(tree.items("items"))
        .extracting(item -> json((MapNode) item))
        .containsExactly(
            json(withoutType(api.get("v1", "services", "default", "s"))),
            json(withoutType(api.get("v1", "services", "default", "t"))));
  }

  @Test
  void list_inProtobuf_isTheSameHoweverOftenItIsAskedFor_andFollowsChanges() {
    ApiObject made = api.create("v1", "services", "default", SERVICE);
    byte[] first = protobufList();
    assertThat(protobufList()).isEqualTo(first);
    assertThat(protobufList()).isEqualTo(first);

    ApiObject changed =
        api.replace(
            "v1",
            "services",
            "default",
            "s",
            made.withMeta(made.meta().withText("generateName", "changed")));

    MapNode list = tree(PROTOBUF, protobufList(), SCHEMAS.struct("io.k8s.api.core.v1.ServiceList"));
    assertThat(json((MapNode) list.items("items").getFirst()))
        .isEqualTo(json(withoutType(changed)));
  }

  private byte[] protobufList() {
    ApiResponse answer =
        writer.list(
            request(JSON, PROTOBUF, new byte[0]),
            api.registry().list(collection, ListQuery.ALL, ListPage.WHOLE));
    return answer.payload().toByteArray();
  }

  @Test
  void emptyList_inProtobuf_isAListWithoutItems() {
    ApiResponse answer =
        writer.list(
            request(JSON, PROTOBUF, new byte[0]),
            api.registry().list(collection, ListQuery.ALL, ListPage.WHOLE));

    MapNode tree =
        tree(
            PROTOBUF,
            answer.payload().toByteArray(),
            SCHEMAS.struct("io.k8s.api.core.v1.ServiceList"));
    assertThat(tree.items("items")).isEmpty();
  }

  @Test
  void valueThatKubeApiserverStoredInProtobuf_isServedAndUpdated() {
    MapNode object =
        api.object("v1", "services", SERVICE.replace("'s',", "'s','namespace':'default',")).root();
    byte[] stored = ObjectWriter.protobuf(object, services.schema());
    api.objects().create(api.storedType("v1", "services"), "default", "s", Bytes.wrap(stored));

    ApiObject read = api.get("v1", "services", "default", "s");
    ApiObject updated =
        api.replace(
            "v1",
            "services",
            "default",
            "s",
            read.withMeta(read.meta().withText("generateName", "g")));

    assertThat(read.root().map("spec")).isEqualTo(object.map("spec"));
    assertThat(read.meta().name()).isEqualTo("s");
    assertThat(updated.root().map("spec").items("ports")).hasSize(2);
    assertThat(updated.root().map("spec").text("type")).isEqualTo("ClusterIP");
  }

  @Test
  void status_isWrittenInProtobuf() {
    ApiException error = ApiException.badRequest("why not");

    ApiResponse answer =
        writer.status(request(JSON, PROTOBUF, new byte[0]), 400, StatusBody.failure(error));

    assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
    MapNode status =
        tree(PROTOBUF, answer.payload().toByteArray(), SCHEMAS.struct(META + "Status"));
    assertThat(json(status)).isEqualTo(json(StatusBody.failure(error)));
  }

  @Test
  void options_areReadFromProtobuf() {
    StructSchema schema = SCHEMAS.struct(META + "DeleteOptions");
    MapNode options =
        tree(
            JSON,
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0}"
                .getBytes(StandardCharsets.UTF_8),
            schema);
    ApiRequest request = request(PROTOBUF, JSON, ObjectWriter.protobuf(options, schema));

    assertThat(reader.options(request, schema, "DeleteOptions")).isEqualTo(options);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}          | 'the object provided is unrecognized (must be of type Service): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})'
          k8s#        | 'the object provided is unrecognized (must be of type Service): empty body (6b387300)'
          k8s#.x      | 'the object provided is unrecognized (must be of type Service): proto: illegal wireType 6 (6b3873002e78)'
          k8s#^~x     | 'the object provided is unrecognized (must be of type Service): unexpected EOF (6b387300127e78)'
          k8s#^!x     | 'Service in version "v1" cannot be handled as a Service: unexpected EOF'
          """)
  void brokenProtobuf_isABadRequest(String body, String message) {
    // # stands for 0, ^ for the field with the object, ! for a length of 1
    byte[] bytes =
        body.replace('#', '\0')
            .replace('^', '\22')
            .replace('!', '\1')
            .getBytes(StandardCharsets.US_ASCII);

    assertThatThrownBy(() -> read(request(PROTOBUF, JSON, bytes)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(message);
  }

  @Test
  void otherKind_inProtobuf_isRefusedAsInJson() {
    ResourceDefinition secrets = api.definition("v1", "secrets");
    MapNode secret = api.object("v1", "secrets", "{'metadata':{'name':'x'}}").root();
    ApiRequest request = request(PROTOBUF, JSON, ObjectWriter.protobuf(secret, secrets.schema()));
    ApiRequest same = request(JSON, JSON, ObjectWriter.json(secret));

    assertThatThrownBy(() -> read(request))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith("Secret in version \"v1\" cannot be handled as a Service");
    assertThatThrownBy(() -> read(same))
        .hasMessageStartingWith("Secret in version \"v1\" cannot be handled as a Service");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Pod            | v1      | Pod in version "v1" cannot be handled as a Service: converting (v1.Pod) to (core.Service): unknown conversion
          Deployment     | apps/v1 | Deployment in version "v1" cannot be handled as a Service: converting (v1.Deployment) to (core.Service): unknown conversion
          ServiceList    | v1      | ServiceList in version "v1" cannot be handled as a Service: converting (v1.ServiceList) to (core.Service): unknown conversion
          DeleteOptions  | v1      | DeleteOptions in version "v1" cannot be handled as a Service: converting (v1.DeleteOptions) to (core.Service): unknown conversion
          service        | v1      | service in version "v1" cannot be handled as a Service: no kind "service" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"
          Foo            | bar/v1  | Foo in version "v1" cannot be handled as a Service: no kind "Foo" is registered for version "bar/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"
          """)
  void otherKind_isRefusedAsByTheScheme(String kind, String apiVersion, String message) {
    String body = "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\"}";

    assertThatThrownBy(() -> read(request(JSON, JSON, body.getBytes(StandardCharsets.US_ASCII))))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          application/json | []           | array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)
          application/json | "x"          | string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (227822)
          application/yaml | - a          | array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (2d2061)
          application/json | {"kind":1}   | number into Go struct field .kind of type string ({"kind":1})
          application/json | {"spec":1,"apiVersion":{}} | object into Go struct field .apiVersion of type string ({"spec":1,"apiVersion":{}})
          """)
  void bodyWithoutAReadableType_isUnrecognized(String type, String body, String problem) {
    assertThatThrownBy(() -> read(request(type, JSON, body.getBytes(StandardCharsets.US_ASCII))))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(
            "the object provided is unrecognized (must be of type Service): couldn't get"
                + " version/kind; json parse error: json: cannot unmarshal "
                + problem);
  }

  /** Fields that the expected kind lacks are no problem of an object that cannot be one. */
  @ParameterizedTest
  @ValueSource(strings = {"Strict", "Warn"})
  void otherKind_isRefusedBeforeItsFields(String validation) {
    String body = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"containers\":[]}}";
    ApiRequest plain = request(JSON, JSON, body.getBytes(StandardCharsets.US_ASCII));
    Exchange exchange =
        exchange(
            new ApiRequest(
                "POST",
                "/",
                Query.parse("fieldValidation=" + validation),
                plain.headers(),
                plain.body(),
                List.of(),
                "127.0.0.1"));

    assertThatThrownBy(() -> reader.object(exchange, services))
        .hasMessage(
            "Pod in version \"v1\" cannot be handled as a Service: converting (v1.Pod) to"
                + " (core.Service): unknown conversion");
    assertThat(exchange.context().warnings()).isEmpty();
  }

  @Test
  void otherVersionOfTheKind_isABadRequest() {
    ResourceDefinition v1 = api.definition("autoscaling/v1", "horizontalpodautoscalers");
    String body = "{\"apiVersion\":\"autoscaling/v2\",\"kind\":\"HorizontalPodAutoscaler\"}";
    Exchange exchange = exchange(request(JSON, JSON, body.getBytes(StandardCharsets.US_ASCII)));

    assertThatThrownBy(() -> reader.object(exchange, v1))
        .hasMessage(
            "the API version in the data (autoscaling/v2) does not match the expected API version"
                + " (autoscaling/v1)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "/v1", "/", ""})
  void apiVersion_thatLeavesSomethingOut_isThatOfThePath(String apiVersion) {
    String body = "{\"apiVersion\":\"" + apiVersion + "\",\"metadata\":{\"name\":\"s\"}}";

    ApiObject read = read(request(JSON, JSON, body.getBytes(StandardCharsets.US_ASCII)));

    assertThat(read.apiVersion()).isEqualTo("v1");
    assertThat(read.kind()).isEqualTo("Service");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          apps/v1 | 'Service in version "v1" cannot be handled as a Service: no kind "Service" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"'
          v2      | 'Service in version "v2" cannot be handled as a Service: no kind "Service" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"'
          a/b/c   | 'the object provided is unrecognized (must be of type Service): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)'
          """)
  void apiVersion_ofSomethingElse_isABadRequest(String apiVersion, String message) {
    String body = "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"Service\"}";

    assertThatThrownBy(() -> read(request(JSON, JSON, body.getBytes(StandardCharsets.US_ASCII))))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(message);
  }

  private static MapNode withoutType(ApiObject object) {
    return object.root().without("kind").without("apiVersion");
  }
}
