package dev.keelson.admission.plugin.network;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.DefaultClasses;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.Set;

/** DefaultIngressClass: sets the default IngressClass of an Ingress that names none. */
public final class DefaultIngressClass implements Admission {

  private static final GroupResource INGRESSES =
      new GroupResource("networking.k8s.io", "ingresses");
  private static final GroupVersionResource CLASSES =
      new GroupVersionResource("networking.k8s.io", "v1", "ingressclasses");

  /** The class before it was a field. */
  private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";

  private final DefaultClasses classes;

  public DefaultIngressClass(ClusterObjects objects) {
    classes =
        new DefaultClasses(objects, CLASSES, Set.of("ingressclass.kubernetes.io/is-default-class"));
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE && resource.equals(INGRESSES) && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (object.root().map("spec").has("ingressClassName")
        || object.meta().annotations().containsKey(CLASS_ANNOTATION)) {
      return object;
    }
    return classes
        .name()
        .map(
            name ->
                object.with(
                    "spec", object.root().map("spec").with("ingressClassName", Node.text(name))))
        .orElse(object);
  }
}
