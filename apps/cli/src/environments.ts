/** Registers every environment that the command line can name. */
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
