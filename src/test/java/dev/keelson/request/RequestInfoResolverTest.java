package dev.keelson.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected answers: derived by hand from the contract's paths and the RequestInfoFactory of
 * Kubernetes 1.36, not captured from a server.
 */
@Timeout(120)
class RequestInfoResolverTest {

  /**
   * The expected text is {@code verb groupVersion ns=… resource[/subresource][/…rest] name=…}, with
   * what is empty left out, and {@code watch-path} for the deprecated paths.
   */
  @ParameterizedTest(name = "{0} {1}?{2}")
  @CsvSource(
      textBlock =
          """
          # the core group
          GET,    /api/v1/pods,                                     '', list v1 pods
          GET,    /api/v1/namespaces/a/pods,                        '', list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods/p,                      '', get v1 ns=a pods name=p
          POST,   /api/v1/namespaces/a/pods,                        '', create v1 ns=a pods
          PUT,    /api/v1/namespaces/a/pods/p,                      '', update v1 ns=a pods name=p
          PATCH,  /api/v1/namespaces/a/pods/p,                      '', patch v1 ns=a pods name=p
          DELETE, /api/v1/namespaces/a/pods/p,                      '', delete v1 ns=a pods name=p
          DELETE, /api/v1/namespaces/a/pods,                        '', deletecollection v1 ns=a pods
          GET,    /api/v1/nodes/n,                                  '', get v1 nodes name=n
          HEAD,   /api/v1/nodes/n,                                  '', get v1 nodes name=n
          # subresources and what follows them
          GET,    /api/v1/namespaces/a/pods/p/status,               '', get v1 ns=a pods/status name=p
          PUT,    /api/v1/namespaces/a/pods/p/status,               '', update v1 ns=a pods/status name=p
          POST,   /api/v1/namespaces/a/pods/p/eviction,             '', create v1 ns=a pods/eviction name=p
          GET,    /api/v1/namespaces/a/pods/p/proxy/x/y,            '', get v1 ns=a pods/proxy/x/y name=p
          GET,    /api/v1/nodes/n/proxy/metrics,                    '', get v1 nodes/proxy/metrics name=n
          # namespaces themselves: only status and finalize are subresources
          GET,    /api/v1/namespaces,                               '', list v1 namespaces
          POST,   /api/v1/namespaces,                               '', create v1 namespaces
          GET,    /api/v1/namespaces/a,                             '', get v1 ns=a namespaces name=a
          DELETE, /api/v1/namespaces/a,                             '', delete v1 ns=a namespaces name=a
          GET,    /api/v1/namespaces/a/status,                      '', get v1 ns=a namespaces/status name=a
          PUT,    /api/v1/namespaces/a/finalize,                    '', update v1 ns=a namespaces/finalize name=a
          GET,    /api/v1/namespaces/a/history,                     '', get v1 ns=a namespaces/history name=a
          POST,   /api/v1/namespaces/a/history,                     '', create v1 ns=a namespaces/history name=a
          GET,    /apis/g/v1/namespaces/a/history,                  '', list g/v1 ns=a history
          GET,    /api/v1/namespaces/a/finalizers,                  '', list v1 ns=a finalizers
          GET,    /api/v1/namespaces/status/pods,                   '', list v1 ns=status pods
          # named groups
          GET,    /apis/apps/v1/deployments,                        '', list apps/v1 deployments
          GET,    /apis/apps/v1/namespaces/a/deployments/d/scale,   '', get apps/v1 ns=a deployments/scale name=d
          GET,    /apis/batch/v1beta1/namespaces/a/cronjobs,        '', list batch/v1beta1 ns=a cronjobs
          GET,    /apis/rbac.authorization.k8s.io/v1/clusterroles/system:x, '', get rbac.authorization.k8s.io/v1 clusterroles name=system:x
          # watching by parameter: only what says no is no, as in Kubernetes
          GET,    /api/v1/pods,                                     watch=true, watch v1 pods
          GET,    /api/v1/pods,                                     watch=1, watch v1 pods
          GET,    /api/v1/pods,                                     watch=, watch v1 pods
          GET,    /api/v1/pods,                                     watch=yes, watch v1 pods
          GET,    /api/v1/pods,                                     watch=false, list v1 pods
          GET,    /api/v1/pods,                                     watch=False, list v1 pods
          GET,    /api/v1/pods,                                     watch=0, list v1 pods
          GET,    /api/v1/namespaces/a/pods/p,                      watch=true, get v1 ns=a pods name=p
          POST,   /api/v1/namespaces/a/pods,                        watch=true, create v1 ns=a pods
          # the deprecated paths, whatever the method
          GET,    /api/v1/watch/pods,                               '', watch v1 pods watch-path
          GET,    /api/v1/watch/namespaces/a/pods,                  '', watch v1 ns=a pods watch-path
          GET,    /api/v1/watch/namespaces/a/pods/p,                '', watch v1 ns=a pods name=p watch-path
          GET,    /api/v1/watch/namespaces,                         '', watch v1 namespaces watch-path
          GET,    /api/v1/watch/namespaces/a,                       '', watch v1 ns=a namespaces name=a watch-path
          GET,    /apis/apps/v1/watch/namespaces/a/daemonsets,      '', watch apps/v1 ns=a daemonsets watch-path
          GET,    /api/v1/watch/pods,                               watch=false, watch v1 pods watch-path
          POST,   /api/v1/watch/namespaces/a/pods,                  '', watch v1 ns=a pods watch-path
          DELETE, /api/v1/watch/namespaces/a/pods/p,                '', watch v1 ns=a pods name=p watch-path
          # a selector for one name names it, so that rules with resourceNames apply to the list
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name=p, list v1 ns=a pods name=p
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name==p, list v1 ns=a pods name=p
          GET,    /api/v1/namespaces/a/pods,                        'fieldSelector=spec.nodeName=n,metadata.name=p', list v1 ns=a pods name=p
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name=p&watch=1, watch v1 ns=a pods name=p
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name!=p, list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name=a/b, list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name=.., list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name=, list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.namespace=p, list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        'fieldSelector=metadata.name=a\\,b', 'list v1 ns=a pods name=a,b'
          # a malformed selector names nothing
          GET,    /api/v1/namespaces/a/pods,                        'fieldSelector=metadata.name=p,foo', list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        'fieldSelector=metadata.name=p,foo&watch=true', watch v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        'fieldSelector=metadata.name=p,foo&watch=false', list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods,                        fieldSelector=metadata.name=p&labelSelector=a==b==c, list v1 ns=a pods
          GET,    /api/v1/namespaces/a/pods/q,                      fieldSelector=metadata.name=p, get v1 ns=a pods name=q
          # odd slashes
          GET,    /api/v1/pods/,                                    '', list v1 pods
          GET,    //api/v1/namespaces/a/pods/p//,                   '', get v1 ns=a pods name=p
          GET,    /api/v1/namespaces//pods,                         '', list v1 pods
          GET,    /api/v1/namespaces/a/pods//p,                     '', list v1 ns=a pods/p
          # no resource
          GET,    /,                                                '', - get
          GET,    /api,                                             '', - get
          GET,    /api/,                                            '', - get
          GET,    /api/v1,                                          '', - get
          GET,    /api/v1/,                                         '', - get
          GET,    /apis,                                            '', - get
          GET,    /apis/apps,                                       '', - get
          GET,    /apis/apps/v1,                                    '', - get
          POST,   /healthz,                                         '', - post
          GET,    /apiserver/v1/pods,                               '', - get
          GET,    /version/v1/pods/x,                               '', - get
          """)
  void parse_readsMethodPathAndQuery(String method, String path, String query, String expected) {
    RequestInfo info = RequestInfoResolver.parse(method, path, query(query));

    assertThat(info.path()).isEqualTo(path);
    assertThat(shown(info)).isEqualTo(expected);
  }

  @Test
  void parse_ofAWatchPathWithoutAResource_namesAResourceCalledWatch() {
    RequestInfo info = RequestInfoResolver.parse("GET", "/api/v1/watch", Map.of());

    assertThat(shown(info)).isEqualTo("list v1 watch");
  }

  @Test
  void gvr_joinsGroupVersionAndResource() {
    RequestInfo.Resource info =
        (RequestInfo.Resource)
            RequestInfoResolver.parse("GET", "/apis/apps/v1/namespaces/a/deployments/d", Map.of());

    assertThat(info.gvr()).hasToString("apps/v1, Resource=deployments");
    assertThat(info.groupResource()).hasToString("deployments.apps");
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : text.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return query;
  }

  private static String shown(RequestInfo info) {
    return switch (info) {
      case RequestInfo.NonResource other -> "- " + other.verb();
      case RequestInfo.Resource resource ->
          resource.verb().word()
              + " "
              + resource.groupVersion()
              + (resource.namespace().isEmpty() ? "" : " ns=" + resource.namespace())
              + " "
              + resource.resource()
              + (resource.subresource().isEmpty() ? "" : "/" + resource.subresource())
              + (resource.rest().isEmpty() ? "" : "/" + resource.rest())
              + (resource.name().isEmpty() ? "" : " name=" + resource.name())
              + (resource.watchPath() ? " watch-path" : "");
    };
  }
}
