package dev.keelson.controller.daemonset;

import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/** What the controller keeps of a DaemonSet between two looks at it. */
public final class DaemonSetFacts {

  /** Informers of DaemonSets. */
  public static final InformerType<DaemonSetFacts> TYPE =
      new InformerType<>(DaemonSet.RESOURCE, DaemonSetFacts::new, List.of());

  private final ObjectName name;
  private final String uid;
  private final LabelSelector selector;
  private final DaemonFit fit;

  private DaemonSetFacts(ApiObject object) {
    MapNode spec = object.root().map("spec");
    this.name = ObjectName.of(object.meta());
    this.uid = object.meta().uid();
    this.selector = Selectors.of(spec.map("selector")).orElse(LabelSelector.EVERYTHING);
    this.fit = DaemonFit.of(spec.map("template").map("spec"));
  }

  ObjectName name() {
    return name;
  }

  String uid() {
    return uid;
  }

  LabelSelector selector() {
    return selector;
  }

  DaemonFit fit() {
    return fit;
  }
}
