package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.CustomTypes;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ResourceHandlerTest {

  private static final String WIDGETS = CustomTypes.widgets("'schema':{}");
  private static final String GADGETS =
      CustomTypes.definition("example.com", "gadgets", "Gadget", "Cluster", "'schema':{}");
  private static final String SPROCKETS =
      CustomTypes.definition(
          "example.com",
          "sprockets",
          "Sprocket",
          "Cluster",
          "'schema':{},'subresources':{'status':{}}");

  private static ResourceDefinition definition(RequestInfo.Resource info) {
    return switch (info.resource()) {
      case "widgets" -> CustomTypes.rows(WIDGETS).getFirst();
      case "sprockets" -> CustomTypes.rows(SPROCKETS).getFirst();
      case "gadgets" -> CustomTypes.rows(GADGETS).getFirst();
      default ->
          BuiltInResources.all(ProtoSchemas.fromClassPath()::struct).stream()
              .filter(built -> built.gvr().equals(info.gvr()))
              .findFirst()
              .orElseThrow();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    /apis/example.com/v1/widgets, OK",
    "GET,    /apis/example.com/v1/namespaces/a/widgets, OK",
    "POST,   /apis/example.com/v1/namespaces/a/widgets, OK",
    "POST,   /apis/example.com/v1/widgets, NOT_FOUND",
    "DELETE, /apis/example.com/v1/widgets, NOT_FOUND",
    "GET,    /apis/example.com/v1/widgets/w, NOT_FOUND",
    "PUT,    /apis/example.com/v1/widgets/w, NOT_FOUND",
    "POST,   /apis/example.com/v1/gadgets, OK",
    "DELETE, /apis/example.com/v1/gadgets, OK",
    "PUT,    /apis/example.com/v1/gadgets, BAD_REQUEST",
    "PATCH,  /apis/example.com/v1/namespaces/a/widgets, BAD_REQUEST",
    "PUT,    /apis/example.com/v1/widgets, NOT_FOUND",
    "PUT,    /api/v1/namespaces/a/configmaps, METHOD_NOT_ALLOWED",
    "GET,    /apis/example.com/v1/namespaces/a/gadgets, NOT_FOUND",
    "POST,   /apis/example.com/v1/namespaces/a/gadgets, NOT_FOUND",
    "GET,    /apis/example.com/v1/namespaces/a/gadgets/g, NOT_FOUND",
    "POST,   /api/v1/configmaps, METHOD_NOT_ALLOWED",
    "DELETE, /api/v1/configmaps, METHOD_NOT_ALLOWED",
    "GET,    /api/v1/configmaps/a, NOT_FOUND",
    "GET,    /api/v1/namespaces/a/nodes, NOT_FOUND",
    "GET,    /api/v1/namespaces/a/bindings, OK",
    "GET,    /api/v1/namespaces/a/bindings/b, NOT_FOUND",
    "PUT,    /api/v1/namespaces/a/bindings/b, NOT_FOUND",
    "DELETE, /apis/authorization.k8s.io/v1/subjectaccessreviews/b, NOT_FOUND",
    "GET,    /api/v1/componentstatuses/b, OK",
    "PUT,    /api/v1/componentstatuses/b, OK",
  })
  void path_hasANamespaceWhereTheScopeAsksForOne(String method, String path, String answer) {
    RequestInfo.Resource info =
        (RequestInfo.Resource) RequestInfoResolver.parse(method, path, Map.of());

    assertThat(check(method, info)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          GET    | /apis/example.com/v1/gadgets/g/scale   | gadgets.example.com "g" not found
          PUT    | /apis/example.com/v1/gadgets/g/unheard | gadgets.example.com "g" not found
          POST   | /apis/example.com/v1/sprockets/s/status | create is not supported on resources of kind "sprockets.example.com"
          DELETE | /apis/example.com/v1/sprockets/s/status | delete is not supported on resources of kind "sprockets.example.com"
          GET    | /api/v1/nodes/n/unheard                  | the server could not find the requested resource
          GET    | /api/v1/namespaces/n/finalize          | the server does not allow this method on the requested resource
          """)
  void subresource_thatIsNotServedIsRefused(String method, String path, String message) {
    RequestInfo.Resource info =
        (RequestInfo.Resource) RequestInfoResolver.parse(method, path, Map.of());

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> ResourceHandler.checkSubresource(info, definition(info)))
        .satisfies(e -> assertThat(e.text()).isEqualTo(message));
  }

  private static String check(String method, RequestInfo.Resource info) {
    try {
      ResourceHandler.checkPath(method, info, definition(info));
      return "OK";
    } catch (ApiException e) {
      assertThat(e.reason()).isIn(Reason.NOT_FOUND, Reason.METHOD_NOT_ALLOWED, Reason.BAD_REQUEST);
      return e.reason().name();
    }
  }
}
