package dev.keelson.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.keelson.api.Names;
import dev.keelson.cel.library.CelAuthorizer.Check;
import dev.keelson.cel.library.CelAuthorizer.Decision;
import dev.keelson.cel.library.CelAuthorizer.Selectors;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' CEL library of authorization checks. Expressions of admission policies have a
 * variable of this type; rules of custom resources have none.
 */
public final class AuthorizerFunctions {

  /** The type of the variable {@code authorizer}. */
  public static final CelType TYPE = OpaqueType.create("kubernetes.authorization.Authorizer");

  /** The type of the variable {@code authorizer.requestResource}. */
  public static final CelType RESOURCE_TYPE =
      OpaqueType.create("kubernetes.authorization.ResourceCheck");

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Asked> AUTHORIZER = new Type<>(TYPE, Asked.class);
  private static final Type<PathCheck> PATH = type("PathCheck", PathCheck.class);
  private static final Type<GroupCheck> GROUP = type("GroupCheck", GroupCheck.class);
  private static final Type<ResourceCheck> RESOURCE = type("ResourceCheck", ResourceCheck.class);
  private static final Type<Decision> DECISION = type("Decision", Decision.class);

  private AuthorizerFunctions() {}

  private static <T> Type<T> type(String name, Class<T> java) {
    return new Type<>(OpaqueType.create("kubernetes.authorization." + name), java);
  }

  /** The value of a variable of type {@link #TYPE}. */
  public static Object value(CelAuthorizer authorizer) {
    return new Asked(authorizer, null);
  }

  /** The value of a variable of type {@link #RESOURCE_TYPE}. */
  public static Object resourceValue(
      CelAuthorizer authorizer,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return new ResourceCheck(
        new GroupCheck(new Asked(authorizer, null), group),
        resource,
        subresource,
        namespace,
        name,
        Selectors.NONE);
  }

  /** An authorizer, for the user of the request or a service account. */
  private record Asked(CelAuthorizer authorizer, @Nullable String serviceAccount) {
    Asked serviceAccount(String namespace, String name) {
      if (!Names.dnsSubdomain(name).isEmpty()) {
        throw new IllegalArgumentException("Invalid service account name");
      }
      if (!Names.dnsLabel(namespace).isEmpty()) {
        throw new IllegalArgumentException("Invalid service account namespace");
      }
      return new Asked(authorizer, namespace + "/" + name);
    }
  }

  private record PathCheck(Asked asked, String path) {
    static PathCheck of(Asked asked, String path) {
      if (path.isBlank()) {
        throw new IllegalArgumentException("path must not be empty");
      }
      return new PathCheck(asked, path);
    }

    Decision check(String verb) {
      return asked
          .authorizer()
          .decide(
              new Check(asked.serviceAccount(), path, "", "", "", "", "", Selectors.NONE, verb));
    }
  }

  private record GroupCheck(Asked asked, String group) {
    ResourceCheck resource(String resource) {
      if (resource.isBlank()) {
        throw new IllegalArgumentException("resource must not be empty");
      }
      return new ResourceCheck(this, resource, "", "", "", Selectors.NONE);
    }
  }

  private record ResourceCheck(
      GroupCheck of,
      String resource,
      String subresource,
      String namespace,
      String name,
      Selectors selectors) {

    ResourceCheck subresource(String subresource) {
      return new ResourceCheck(of, resource, subresource, namespace, name, selectors);
    }

    ResourceCheck namespace(String namespace) {
      return new ResourceCheck(of, resource, subresource, namespace, name, selectors);
    }

    ResourceCheck name(String name) {
      return new ResourceCheck(of, resource, subresource, namespace, name, selectors);
    }

    ResourceCheck fieldSelector(String field) {
      Selectors changed = new Selectors(field, selectors.label());
      return new ResourceCheck(of, resource, subresource, namespace, name, changed);
    }

    ResourceCheck labelSelector(String label) {
      Selectors changed = new Selectors(selectors.field(), label);
      return new ResourceCheck(of, resource, subresource, namespace, name, changed);
    }

    Decision check(String verb) {
      Asked asked = of.asked();
      return asked
          .authorizer()
          .decide(
              new Check(
                  asked.serviceAccount(),
                  null,
                  of.group(),
                  resource,
                  subresource,
                  namespace,
                  name,
                  selectors,
                  verb));
    }
  }

  static void addTo(FunctionDeclarations list) {
    list.member("path", "authorizer_path", PATH.cel(), AUTHORIZER, TEXT, PathCheck::of)
        .member("group", "authorizer_group", GROUP.cel(), AUTHORIZER, TEXT, GroupCheck::new)
        .member(
            "serviceAccount",
            "authorizer_serviceaccount",
            TYPE,
            AUTHORIZER,
            TEXT,
            TEXT,
            arguments ->
                ((Asked) arguments[0]).serviceAccount((String) arguments[1], (String) arguments[2]))
        .member("check", "pathcheck_check", DECISION.cel(), PATH, TEXT, PathCheck::check)
        .member(
            "resource", "groupcheck_resource", RESOURCE.cel(), GROUP, TEXT, GroupCheck::resource)
        .member(
            "subresource",
            "resourcecheck_subresource",
            RESOURCE.cel(),
            RESOURCE,
            TEXT,
            ResourceCheck::subresource)
        .member(
            "namespace",
            "resourcecheck_namespace",
            RESOURCE.cel(),
            RESOURCE,
            TEXT,
            ResourceCheck::namespace)
        .member("name", "resourcecheck_name", RESOURCE.cel(), RESOURCE, TEXT, ResourceCheck::name)
        .member(
            "fieldSelector",
            "authorizer_fieldselector",
            RESOURCE.cel(),
            RESOURCE,
            TEXT,
            ResourceCheck::fieldSelector)
        .member(
            "labelSelector",
            "authorizer_labelselector",
            RESOURCE.cel(),
            RESOURCE,
            TEXT,
            ResourceCheck::labelSelector)
        .member(
            "check", "resourcecheck_check", DECISION.cel(), RESOURCE, TEXT, ResourceCheck::check)
        .member("allowed", "decision_allowed", SimpleType.BOOL, DECISION, Decision::allowed)
        .member("reason", "decision_reason", SimpleType.STRING, DECISION, Decision::reason)
        .member(
            "errored",
            "decision_errored",
            SimpleType.BOOL,
            DECISION,
            decision -> !decision.error().isEmpty())
        .member("error", "decision_error", SimpleType.STRING, DECISION, Decision::error);
  }
}
