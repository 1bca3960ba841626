package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.QueryStringDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JaxRsCompatibleTest {

  private static boolean matchable(String method, String raw) {
    return JaxRsCompatible.is(method, raw, new QueryStringDecoder(raw, true).path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/api/v1/pods",
        "/api/v1/pods/",
        "/apis/apps/v1/namespaces/a/deployments/d/scale",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
        "/api/v1/namespaces/a/configmaps/a.b",
        "/api/v1/namespaces/a/configmaps/%C3%A9",
        "/.well-known/openid-configuration"
      })
  void plainPath_isLeftToJaxRs(String path) {
    assertThat(matchable("GET", path)).isTrue();
    assertThat(matchable("DELETE", path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "//",
        "//api/v1/pods",
        "/api/v1//pods",
        "/api/v1/pods//",
        "/api/v1/pods;x=1",
        "/api/v1/./pods",
        "/api/v1/../pods",
        "/api/v1/pods/..",
        "/api/v1/pods/%2E%2e",
        "/api/v1%2Fpods",
        "/api/v1/%2fpods",
        "/./healthz"
      })
  void pathThatJaxRsWouldChange_isNot(String path) {
    assertThat(matchable("GET", path)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "OPTIONS", "TRACE", "CONNECT", "FOO", "get"})
  void methodThatJaxRsWouldAnswer_isNot(String method) {
    assertThat(matchable(method, "/api/v1/pods")).isFalse();
  }

  @Test
  void requestWithoutAPath_isNot() {
    assertThat(JaxRsCompatible.is("GET", null, "/")).isFalse();
  }
}
