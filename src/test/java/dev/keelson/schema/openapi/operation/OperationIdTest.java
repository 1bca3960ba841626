package dev.keelson.schema.openapi.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class OperationIdTest {

  @ParameterizedTest
  @CsvSource({
    "/api/, getAPIVersions, getCoreAPIVersions, core",
    "/apis/, getAPIVersions, getAPIVersions, apis",
    "/apis/batch/, getAPIGroup, getBatchAPIGroup, batch",
    "/.well-known/openid-configuration/, getServiceAccountIssuerOpenIDConfiguration,"
        + " getServiceAccountIssuerOpenIDConfiguration, WellKnown",
    "/openid/v1/jwks/, getServiceAccountIssuerOpenIDKeyset,"
        + " getServiceAccountIssuerOpenIDKeyset, openid",
    "/version/, getCodeVersion, getCodeVersion, version",
    "/api/v1/pods, listPodForAllNamespaces, listCoreV1PodForAllNamespaces, core_v1",
    "/apis/apps/v1/namespaces/{namespace}/deployments, deleteCollectionNamespacedDeployment,"
        + " deleteAppsV1CollectionNamespacedDeployment, apps_v1",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles, createClusterRole,"
        + " createRbacAuthorizationV1ClusterRole, rbacAuthorization_v1",
    "/apis/stable.example.com/v1/crontabs, listCronTab, listStableExampleComV1CronTab,"
        + " stableExampleCom_v1",
    "/api/v1/nodes/{name}/proxy/{path}, connectGetNodeProxyWithPath,"
        + " connectCoreV1GetNodeProxyWithPath, core_v1"
  })
  void of_pathAndName_putsTheGroupVersionBehindTheVerb(
      String path, String name, String id, String tag) {
    assertThat(OperationId.of(path, name)).isEqualTo(new OperationId(id, tag));
  }

  @Test
  void of_nameWithoutVerb_isRefused() {
    assertThatThrownBy(() -> OperationId.of("/api/v1/pods", "podList"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
