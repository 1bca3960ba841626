package dev.keelson.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which parts of a path are the namespace's own. Path templates give the parts in two ways, with
 * {@code namespaces} as the resource or with a namespace in front, and both mean the same.
 */
class ResourcePathTest {

  private static final GroupVersion V1 = new GroupVersion("", "v1");

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # resource  name  subresource rest     namespace resource    name  subresource rest
          namespaces, '',   '',         '',      '',       namespaces, '',   '',         ''
          namespaces, a,    '',         '',      a,        namespaces, a,    '',         ''
          namespaces, a,    status,     '',      a,        namespaces, a,    status,     ''
          namespaces, a,    finalize,   '',      a,        namespaces, a,    finalize,   ''
          namespaces, a,    status,     x/y,     a,        namespaces, a,    status,     x/y
          namespaces, a,    pods,       '',      a,        pods,       '',   '',         ''
          namespaces, a,    pods,       p,       a,        pods,       p,    '',         ''
          namespaces, a,    pods,       p/log,   a,        pods,       p,    log,        ''
          namespaces, a,    pods,       p/s/x/y, a,        pods,       p,    s,          x/y
          namespaces, pods, status,     '',      pods,     namespaces, pods, status,     ''
          namespaces, a,    namespaces, b,       a,        namespaces, b,    '',         ''
          nodes,      n,    status,     '',      '',       nodes,      n,    status,     ''
          status,     s,    '',         '',      '',       status,     s,    '',         ''
          """)
  void clusterPath_belowNamespaces_isReadAsANamespacedOne(
      String resource,
      String name,
      String subresource,
      String rest,
      String namespace,
      String readResource,
      String readName,
      String readSubresource,
      String readRest) {
    assertThat(new ResourcePath(V1, false, "", resource, name, subresource, rest))
        .extracting(
            ResourcePath::namespace,
            ResourcePath::resource,
            ResourcePath::name,
            ResourcePath::subresource,
            ResourcePath::rest)
        .containsExactly(namespace, readResource, readName, readSubresource, readRest);
  }

  @ParameterizedTest
  @CsvSource({
    "status,   '', '', '',  namespaces, a, status,   ''",
    "finalize, '', '', '',  namespaces, a, finalize, ''",
    "status,   x,  '', '',  namespaces, a, status,   x",
    "finalize, x,  y,  z/w, namespaces, a, finalize, x/y/z/w",
    "pods,     p,  '', '',  pods,       p, '',       ''",
    "statuses, p,  '', '',  statuses,   p, '',       ''"
  })
  void pathInANamespace_ofItsStatus_isThatOfTheNamespace(
      String resource,
      String name,
      String subresource,
      String rest,
      String readResource,
      String readName,
      String readSubresource,
      String readRest) {
    assertThat(new ResourcePath(V1, false, "a", resource, name, subresource, rest))
        .extracting(
            ResourcePath::namespace,
            ResourcePath::resource,
            ResourcePath::name,
            ResourcePath::subresource,
            ResourcePath::rest)
        .containsExactly("a", readResource, readName, readSubresource, readRest);
  }
}
