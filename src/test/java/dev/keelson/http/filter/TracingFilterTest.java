package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.request.RequestInfoResolver;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracingFilterTest {

  @ParameterizedTest
  @CsvSource({
    "GET,/version,GET",
    "GET,/api/v1/pods,GET /api/v1/pods",
    "DELETE,/api/v1/namespaces/a/pods/b,DELETE /api/v1/namespaces/{:namespace}/pods/{:name}",
    "PUT,/apis/apps/v1/namespaces/a/deployments/b/scale,"
        + "PUT /apis/apps/v1/namespaces/{:namespace}/deployments/{:name}/scale",
    "GET,/apis/rbac.authorization.k8s.io/v1/clusterroles/x,"
        + "GET /apis/rbac.authorization.k8s.io/v1/clusterroles/{:name}"
  })
  void name_hasNoWordThatClientsChoose(String method, String path, String name) {
    assertThat(TracingFilter.name(method, RequestInfoResolver.parse(method, path, Map.of())))
        .isEqualTo(name);
  }
}
