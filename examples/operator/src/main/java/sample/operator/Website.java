package sample.operator;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A website: an image that some pods serve. */
@Group("sample.dev")
@Version("v1")
public class Website extends CustomResource<Website.Spec, Website.Status> implements Namespaced {

  /** What is wanted. */
  public static class Spec {
    /** The image of the pods. */
    public String image;

    /** How many pods; null for one. */
    public Integer replicas;
  }

  /** What is. */
  public static class Status {
    /** Whether all pods are available. */
    public boolean ready;
  }
}
