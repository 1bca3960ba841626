package dev.keelson.controller.service;

/** Counts what the repair of allocations finds, under the words of kube-apiserver's metrics. */
public interface RepairMetrics {

  /** The types of errors. */
  enum Error {
    LEAK("leak"),
    REPAIR("repair"),
    OUT_OF_RANGE("outOfRange"),
    DUPLICATE("duplicate"),
    INVALID("invalid");

    private final String text;

    Error(String text) {
      this.text = text;
    }

    /** The value of the label. */
    public String text() {
      return text;
    }
  }

  /** An error of a cluster IP. */
  void address(Error error);

  /** An error of a node port. */
  void port(Error error);

  /** A pass over the node ports failed. */
  void portsFailed();

  /** The repair of a cluster IP failed. */
  void addressesFailed();

  /** Counts nothing. */
  RepairMetrics NONE =
      new RepairMetrics() {
        @Override
        public void address(Error error) {}

        @Override
        public void port(Error error) {}

        @Override
        public void portsFailed() {}

        @Override
        public void addressesFailed() {}
      };
}
