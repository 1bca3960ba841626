package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.CustomTypes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies with custom objects, and how they are refused. */
class CustomBodiesTest {

  private static final ResourceDefinition WIDGETS =
      CustomTypes.rows(
              CustomTypes.widgets(
                  "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':"
                      + "'object','properties':{'size':{'type':'integer'}}}}}}"))
          .getFirst();

  private final RequestContext context =
      new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "");

  private ApiObject read(String type, String query, String body) {
    ApiRequest request =
        new ApiRequest(
            "POST",
            "/",
            Query.parse(query),
            Map.of("content-type", List.of(type)),
            body.getBytes(StandardCharsets.UTF_8),
            List.of(),
            "127.0.0.1");
    return new BodyReader(new ResourceCatalog(List.of()))
        .object(new Exchange(request, new RequestInfo.NonResource("/", "post"), context), WIDGETS);
  }

  private static String widget(String rest) {
    return "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\"" + rest + "}";
  }

  private ApiException refused(String query, String body) {
    return catchThrowableOfType(ApiException.class, () -> read("application/json", query, body));
  }

  @Test
  void object_isReadWithValuesOfAnyType() {
    ApiObject object =
        read(
            "application/json",
            "fieldValidation=Strict",
            widget(",\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":\"big\"}"));

    assertThat(object.root().map("spec").get("size")).isEqualTo(Node.text("big"));
  }

  @Test
  void object_isReadFromYaml() {
    ApiObject object =
        read(
            "application/yaml",
            "",
            "apiVersion: example.com/v1\nkind: Widget\nspec: {size: 0x10, other: 1}\n");

    assertThat(object.root().map("spec").get("size")).isEqualTo(new Node.Int(16));
    assertThat(context.warnings()).containsExactly("unknown field \"spec.other\"");
  }

  @Test
  void unknownFields_areRejectedWhereTheyAreToBe() {
    ApiException e =
        refused("fieldValidation=Strict", widget(",\"spec\":{\"a\":1,\"a\":2},\"b\":3"));

    assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(e.text())
        .isEqualTo(
            "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error:"
                + " duplicate field \"spec.a\", unknown field \"b\", unknown field \"spec.a\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"kind":"Widget"}                                   | BAD_REQUEST | the API version in the data () does not match the expected API version (example.com/v1)
          {"kind":"Widget","apiVersion":"example.com/v2"}     | BAD_REQUEST | the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)
          {"apiVersion":"example.com/v1"}                     | BAD_REQUEST | the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{"apiVersion":"example.com/v1"}' ({"apiVersion":"example.com/v1" ...)
          {"kind":"Gadget","apiVersion":"example.com/v1","metadata":{"name":"g"}} | INVALID | Gadget.example.com "g" is invalid: kind: Invalid value: "Gadget": must be Widget
          {"kind":"Widget","apiVersion":"example.com/v1","metadata":{"labels":5}} | BAD_REQUEST | Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string
          """)
  void bodies_ofOtherTypesAreRefused(String body, Reason reason, String message) {
    ApiException e = refused("", body);

    assertThat(e.reason()).isEqualTo(reason);
    assertThat(e.text()).isEqualTo(message);
  }

  @Test
  void protobuf_isRefused() {
    ApiException e =
        catchThrowableOfType(
            ApiException.class,
            () -> read("application/vnd.kubernetes.protobuf", "", "k8s\0garbage"));

    assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(e.text())
        .startsWith("Widget in version \"v1\" cannot be handled as a Widget: object");
  }
}
