package dev.keelson.blackbox.operator;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource: each of its beds is a ConfigMap. */
@Group(Garden.GROUP)
@Version("v1")
@ShortNames("gdn")
public final class Garden extends CustomResource<GardenSpec, GardenStatus> implements Namespaced {

  private static final long serialVersionUID = 1;

  static final String GROUP = "gardens.example.com";

  /** The name of the definition. */
  public static final String DEFINITION = "gardens." + GROUP;

  /** A garden that has not been created. */
  public static Garden of(String namespace, String name, GardenSpec spec) {
    Garden garden = new Garden();
    garden.getMetadata().setNamespace(namespace);
    garden.getMetadata().setName(name);
    garden.setSpec(spec);
    return garden;
  }

  @Override
  protected GardenSpec initSpec() {
    return new GardenSpec();
  }
}
