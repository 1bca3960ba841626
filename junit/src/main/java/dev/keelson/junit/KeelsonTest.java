package dev.keelson.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class with a Kubernetes API server. Parameters of its constructor and methods are filled
 * in by their type:
 *
 * <table>
 * <caption>parameters</caption>
 * <tr><td>{@link KeelsonServer}</td><td>the server</td></tr>
 * <tr><td>{@code KubernetesClient} of fabric8</td><td>a client in the namespace of the class, closed
 *     after it; of the administrator, or of the user that {@link As} names</td></tr>
 * <tr><td>{@code ApiClient} of the Java client</td><td>the same; it has no namespace of its own:
 *     see {@link Namespace}</td></tr>
 * <tr><td>{@link TestUser}</td><td>the administrator, or the user that {@link As} names</td></tr>
 * <tr><td>{@link AuditLog}</td><td>the requests from the begin of the test method,
 *     without those in the namespaces of other classes</td></tr>
 * <tr><td>{@code String} with {@link Namespace}</td><td>the namespace of the class</td></tr>
 * <tr><td>{@code String} or {@code Path} with {@link Kubeconfig}</td><td>a kubeconfig, or its
 *     file</td></tr>
 * </table>
 *
 * Test classes may run in parallel: each has a namespace of its own, which goes with it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(KeelsonExtension.class)
public @interface KeelsonTest {

  /** Whom the server is shared with. */
  Isolation isolation() default Isolation.NAMESPACE;

  /** More flags of the server; classes with the same flags share one. */
  String[] flags() default {};

  /** Nodes that run pods in appearance only; with a scheduler. */
  int simulatedNodes() default 0;

  /**
   * Manifests of the class path, applied in this order before the first test: definitions of types,
   * roles, objects. Namespaced objects without a namespace go into that of the class.
   */
  String[] manifests() default {};

  /**
   * Types of fabric8 ({@code CustomResource}) whose definitions fabric8's generator has put onto
   * the class path, as {@code META-INF/fabric8/PLURAL.GROUP-v1.yml}.
   */
  Class<?>[] types() default {};

  /**
   * The store that the server of the class begins with a copy of; the class has a server of its own
   * then, as with {@link Isolation#SERVER}. The default means an empty store.
   */
  Class<? extends PreparedStore> store() default PreparedStore.class;

  /** Users with rights; {@link As} gives clients of them. */
  User[] users() default {};

  /** What keeps test classes apart. */
  enum Isolation {
    /** A namespace on a server that the classes of the JVM share. */
    NAMESPACE,
    /** A server with an empty store. */
    SERVER
  }

  /** A user with a client certificate. */
  @interface User {

    /** The name. */
    String name();

    /** The groups, beside {@code system:authenticated}. */
    String[] groups() default {};

    /** What it may do. */
    Rule[] rules() default {};

    /** Names of ClusterRoles that it has, such as {@code view} or {@code edit}. */
    String[] clusterRoles() default {};

    /** Whether it has its rights in all namespaces; otherwise in that of the class. */
    boolean clusterWide() default false;
  }

  /** A rule of RBAC. */
  @interface Rule {

    /** The API groups; the empty text is the core group. */
    String[] groups() default {""};

    /** The resources. */
    String[] resources();

    /** The verbs. */
    String[] verbs();
  }

  /** Names the user of a client or kubeconfig: one of {@link KeelsonTest#users}. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  @interface As {

    /** The name of the user. */
    String value();
  }

  /** Marks the parameter that takes the name of the namespace. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  @interface Namespace {}

  /** Marks the parameter that takes a kubeconfig. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  @interface Kubeconfig {}
}
