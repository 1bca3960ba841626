package dev.keelson.controller.service;

/** Counts what the repair of allocations finds, under the words of kube-apiserver's metrics. */
public interface RepairMetrics {

  /** The types of faults, which kube-apiserver calls errors. */
  enum Fault {
    LEAK("leak"),
    REPAIR("repair"),
    OUT_OF_RANGE("outOfRange"),
    DUPLICATE("duplicate"),
    INVALID("invalid");

    private final String text;

    Fault(String text) {
      this.text = text;
    }

    /** The value of the label. */
    public String text() {
      return text;
    }
  }

  /** A fault of a cluster IP. */
  void address(Fault fault);

  /** A fault of a node port. */
  void port(Fault fault);

  /** A pass over the node ports failed. */
  void portsFailed();

  /** The repair of a cluster IP failed. */
  void addressesFailed();

  /** Counts nothing. */
  RepairMetrics NONE =
      new RepairMetrics() {
        @Override
        public void address(Fault fault) {}

        @Override
        public void port(Fault fault) {}

        @Override
        public void portsFailed() {}

        @Override
        public void addressesFailed() {}
      };
}
